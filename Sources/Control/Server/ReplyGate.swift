/// Lets a command's reply wait until what the command changed is saved. Control thread.
package protocol ReplyGate: AnyObject {
    /// The number of the last change that was handed over for saving and that replies wait for.
    var owed: Int64 { get }
    /// Hands over what replies wait for; returns the number of the last such change.
    func collect() -> Int64
    /// Runs `body` once the change of that number is saved, or after a moment, at once or later in this turn.
    func whenSaved(_ number: Int64, _ body: @escaping () -> Void)
}
