import Base

/// Reads verified blocks of a cache, one at a time; confined to the thread that reads the source.
final class BlockReader {
    enum Outcome {
        case bytes(Int)
        /// Torn or rotten.
        case damaged
        /// The disk takes its time: `whenDone` will be called.
        case pending
    }

    /// How long the reader's thread waits by itself: any disk that is well is faster.
    private static let patience = Duration.milliseconds(50)

    /// The block that was asked for last.
    private var held: BlockQueue.Reading?

    /// Copies from an offset within the block.
    func read(
        _ block: StoredBlock, at offset: Int64, into buffer: UnsafeMutableRawBufferPointer,
        from queue: BlockQueue, whenDone: @escaping @Sendable () -> Void
    ) -> Outcome {
        let segment = block.segment
        var isNew = false
        if held?.block.file !== block.file || held?.block.segment != segment {
            held = queue.read(block)
            isNew = true
        }
        switch held?.outcome(within: isNew ? Self.patience : .zero, orCall: whenDone) {
        case .read(let bytes):
            let from = Int(offset - segment.start)
            let count = min(buffer.count, Int(segment.count) - from)
            unsafe buffer.copyBytes(from: bytes.raw[from..<from + count])
            return .bytes(count)
        case .damaged, nil:
            held = nil
            return .damaged
        case .underWay: return .pending
        }
    }
}
