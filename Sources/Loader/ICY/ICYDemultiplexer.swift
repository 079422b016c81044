/// Takes the metadata blocks out of an ICY stream: after every `interval` bytes of sound comes a length byte, and
/// sixteen times as many bytes of metadata.
///
/// Pure and byte-exact for any interval and any split of the input. A new connection needs a new one.
struct ICYDemultiplexer {
    /// Bytes of sound between two blocks; at least 1.
    let interval: Int
    private var soundLeft: Int
    private var blockLeft = 0
    private var block: [UInt8] = []

    /// Creates one for an `icy-metaint`; nil when there is no metadata in the stream.
    init?(interval: Int?) {
        guard let interval, interval > 0 else { return nil }
        self.interval = interval
        soundLeft = interval
    }

    /// Splits bytes; both closures are called in the order of the stream. Blocks of length zero are left out.
    mutating func feed(
        _ bytes: UnsafeRawBufferPointer, sound: (UnsafeRawBufferPointer) -> Void,
        metadata: ([UInt8]) -> Void
    ) {
        var rest = unsafe bytes[...]
        while unsafe !rest.isEmpty {
            if blockLeft > 0 {
                let part = unsafe rest.prefix(blockLeft)
                unsafe block.append(contentsOf: UnsafeRawBufferPointer(rebasing: part))
                unsafe blockLeft -= part.count
                unsafe rest = unsafe rest.dropFirst(part.count)
                if blockLeft == 0 {
                    metadata(block)
                    block.removeAll(keepingCapacity: true)
                }
            } else if soundLeft > 0 {
                let part = unsafe rest.prefix(soundLeft)
                unsafe sound(UnsafeRawBufferPointer(rebasing: part))
                unsafe soundLeft -= part.count
                unsafe rest = unsafe rest.dropFirst(part.count)
            } else {
                blockLeft = unsafe Int(rest.first ?? 0) * 16
                soundLeft = interval
                unsafe rest = unsafe rest.dropFirst()
            }
        }
    }
}
