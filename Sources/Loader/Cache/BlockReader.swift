import Base

/// Reads verified blocks of a cache, one at a time; confined to the thread that reads the source.
@safe final class BlockReader {
    // Safe because this owner alone allocates and frees it.
    private var bytes = unsafe UnsafeMutableRawBufferPointer(start: nil, count: 0)
    /// What the buffer holds, verified.
    private var held: StoredBlock?

    deinit { unsafe bytes.deallocate() }

    /// Copies from an offset within the block; returns how much, nil when the block is torn or rotten.
    func read(_ block: StoredBlock, at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) -> Int? {
        let segment = block.segment
        if held?.file !== block.file || held?.segment != segment {
            held = nil
            if unsafe bytes.count < Int(segment.count) {
                unsafe bytes.deallocate()
                unsafe bytes = .allocate(byteCount: Int(segment.count), alignment: 16)
            }
            guard unsafe block.file.read(segment, into: bytes) else { return nil }
            held = block
        }
        let from = Int(offset - segment.start)
        let count = min(buffer.count, Int(segment.count) - from)
        unsafe buffer.copyBytes(from: bytes[from..<from + count])
        return count
    }
}
