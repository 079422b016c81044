/// Reads bytes of a resource at any place.
protocol PlacedReading: AnyObject {
    /// Bytes from an offset, fewer at the end; nil when interrupted or failed.
    func bytes(at offset: Int64, count: Int) -> [UInt8]?
}

extension SourceReader: PlacedReading {}
