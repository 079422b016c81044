/// Knows how far items of the store were heard. Control thread.
package protocol ListeningMemory: AnyObject {
    /// Where an item goes on, in seconds; 0 at its start.
    func start(of storeID: Int64) -> Double
    /// An item ceased to be heard, or was paused, at that place.
    func left(_ storeID: Int64, at seconds: Double, duration: Double?)
    /// An item was heard to its end.
    func heardToEnd(_ storeID: Int64)
}
