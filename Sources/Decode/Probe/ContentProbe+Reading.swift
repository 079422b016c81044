import Base

extension ContentProbe {
    /// Reads from an offset, behind the tags, until it is known what is there; nil when interrupted, or at the end of a
    /// connection. Throws when that cannot be read, or there is nothing.
    static func kind(_ reader: SourceReader, at position: Int64) throws(PlaybackFailure)
        -> (kind: ContentKind, bytes: [UInt8])?
    {
        var wanted = 2048
        while true {
            guard let bytes = reader.bytes(at: position, count: wanted) else {
                return try reader.interruption()
            }
            let isComplete = bytes.count < wanted
            if position == 0, bytes.isEmpty { throw PlaybackFailure(.empty, "There is nothing in it.") }
            if let kind = kind(of: bytes, isComplete: isComplete || wanted >= window) { return (kind, bytes) }
            wanted *= 4
        }
    }
}
