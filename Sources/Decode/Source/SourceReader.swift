import Base
import Glibc

/// Blocking reads from a source for the decode thread, through one block of read-ahead.
///
/// While the source has nothing, commands are served in place; a command that makes the bytes useless abandons
/// the read, and every read after it fails until `resume`. No byte is lost: whoever reads goes on by offset.
@safe final class SourceReader {
    /// What to do while there are no bytes.
    struct Waiting {
        /// Handles what came meanwhile; true to abandon the read.
        let service: () -> Bool
        /// Told once for each time that bytes ran out.
        let began: () -> Void
    }

    /// More than any tag that is worth keeping; a tag that asks for more is taken as an attack.
    static let largestRead = 32 << 20
    private static let blockBytes = 16 << 10

    let source: any ByteSource
    private let wake: WakePoint
    private let waiting: Waiting
    private let deadline: MonotonicTime?

    // MARK: The block

    // Safe because only this object uses it, within its lifetime.
    private let block: UnsafeMutableRawBufferPointer
    private var blockStart: Int64 = 0
    private var blockCount = 0

    // MARK: The head

    /// What was read while the content was probed, so that a source that cannot go back is read once.
    private var head: [UInt8] = []
    private var keepsHead = false

    // MARK: Where the sound lies

    /// The next byte to be read.
    private(set) var offset: Int64 = 0
    /// Where sound ends: what follows are tags.
    private(set) var end = Int64.max
    /// True once sound is read: tags between frames are then blanked out.
    var blanksTags = false
    private var blanked: Range<Int64> = 0..<0

    // MARK: Connections of a live stream

    /// Where the bytes begin that are read as one stream.
    private(set) var sessionStart: Int64 = 0
    /// Where to go on once the end of these was reached; nil before it was.
    private(set) var sessionBreak: Int64?
    /// True when bytes between that end and there are gone.
    private(set) var isBreakGap = false

    // MARK: Second thoughts

    /// Where reading on calls `inspect`, once.
    var checkpoint = Int64.max
    /// Looks at what comes instead of sound; returns why it cannot go on, if so.
    var inspect: (() -> PlaybackFailure?)?

    // MARK: What went wrong

    /// Why the source cannot go on.
    private(set) var failure: PlaybackFailure?
    /// True when a command made the last read useless.
    private(set) var isInterrupted = false

    /// With a deadline, no byte is waited for beyond it.
    init(_ source: any ByteSource, wake: WakePoint, waiting: Waiting, deadline: MonotonicTime? = nil) {
        self.deadline = deadline
        self.source = source
        self.wake = wake
        self.waiting = waiting
        unsafe block = .allocate(byteCount: Self.blockBytes, alignment: 16)
        source.setWakePoint(wake)
    }

    // The source keeps the wake point: another reader may have it already.
    deinit { unsafe block.deallocate() }

    /// A reader of something else, which is interrupted where this one would be.
    func another(_ source: any ByteSource) -> SourceReader {
        let waiting = Waiting(service: { [unowned self] in isToBeAbandoned() }, began: waiting.began)
        return SourceReader(source, wake: wake, waiting: waiting)
    }

    // MARK: Reading

    /// Reads at least a byte and moves on; 0 at the end, -1 when failed or interrupted.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        if isInterrupted || failure != nil { return -1 }
        if buffer.count > Self.largestRead {
            failure = PlaybackFailure(.corrupt, "A tag claims to have \(buffer.count) bytes.")
            return -1
        }
        if offset >= checkpoint {
            checkpoint = .max
            failure = inspect?()
            if failure != nil { return -1 }
        }
        if offset < blockStart || offset >= blockStart &+ Int64(blockCount) {
            let filled = fill(at: offset)
            if filled <= 0 { return filled }
        }
        let first = Int(offset &- blockStart)
        let count = min(buffer.count, blockCount - first, Int(clamping: end &- offset))
        if count <= 0 { return 0 }
        unsafe buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: block[first..<first + count]))
        offset += Int64(count)
        return count
    }

    /// Reads up to `count` bytes from an offset, fewer only at the end; nil when failed or interrupted.
    func bytes(at start: Int64, count: Int) -> [UInt8]? {
        offset = start
        var failed = false
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count {
                let rest = unsafe UnsafeMutableRawBufferPointer(buffer)[filled..<count]
                let part = unsafe read(into: UnsafeMutableRawBufferPointer(rebasing: rest))
                failed = part < 0
                if part <= 0 { return }
                filled += part
            }
        }
        return failed ? nil : bytes
    }

    /// Bytes from an offset that can be had at once, without moving: at most `count`.
    func glance(at start: Int64, count: Int) -> [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            filled = 0
            while filled < count {
                let rest = unsafe UnsafeMutableRawBufferPointer(
                    rebasing: UnsafeMutableRawBufferPointer(buffer)[filled..<count])
                guard case .bytes(let part) = unsafe source.read(at: start &+ Int64(filled), into: rest)
                else { return }
                filled += max(0, min(part, count - filled))
            }
        }
    }

    /// Goes to an offset, at most the end; the block is kept.
    func seek(to target: Int64) { offset = max(0, min(target, end)) }

    /// Begins to read another stream, from an offset on; nothing of the one before is kept.
    func beginSession(at start: Int64) {
        sessionStart = start
        sessionBreak = nil
        isBreakGap = false
        offset = start
        blockCount = 0
        head = []
        keepsHead = false
        end = .max
        checkpoint = .max
        blanked = 0..<0
    }

    /// Makes all reads fail.
    func fail(_ reason: PlaybackFailure) { failure = failure ?? reason }

    /// Lets commands be served by who waits for something else than bytes; true when one makes that useless.
    func isToBeAbandoned() -> Bool {
        if !isInterrupted, waiting.service() { isInterrupted = true }
        return isInterrupted
    }

    /// Takes back an interruption.
    func resume() { isInterrupted = false }

    /// Keeps all bytes from here on, as long as they are read in order, until `dropHead`.
    func keepHead() { keepsHead = true }

    /// Keeps no more bytes, and forgets the kept ones once reading is beyond them.
    func dropHead() { keepsHead = false }

    /// Goes to an offset ahead by reading up to it. False at the end, when failed or interrupted.
    func advance(to target: Int64) -> Bool {
        while offset < target {
            let count = Int(min(target &- offset, Int64(Self.blockBytes)))
            guard let part = bytes(at: offset, count: count), part.count == count else { return false }
        }
        return true
    }

    /// Leaves out everything from an offset on: a tag, no sound.
    func cut(at offset: Int64) { end = min(end, offset) }

    /// Reads a range as zeros: it is no sound.
    func blank(_ range: Range<Int64>) {
        blanked = range
        blockCount = 0
    }

    /// True when that many bytes from here on can be read without waiting.
    func hasBytes(_ count: Int) -> Bool {
        let blockEnd = blockStart &+ Int64(blockCount)
        let inBlock = offset >= blockStart && offset <= blockEnd ? blockEnd &- offset : 0
        return inBlock >= Int64(count)
            || inBlock &+ source.bytesAvailable(from: offset &+ inBlock) >= Int64(count)
    }

    // MARK: Filling

    private func fill(at start: Int64) -> Int {
        if start >= end { return 0 }
        blockStart = start
        blockCount = 0
        repeat {
            let room = unsafe UnsafeMutableRawBufferPointer(rebasing: block[blockCount...])
            let count = unsafe fetch(at: start &+ Int64(blockCount), into: room)
            if count < 0 || (count == 0 && blockCount == 0) { return count }
            blockCount += count
            if count == 0 || source.seam(after: sessionStart) == start &+ Int64(blockCount) { break }
        } while blanksTags && isCutTag()
        if blanksTags { findTag() }
        blankOut()
        return blockCount
    }

    private func fetch(at start: Int64, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        if start < Int64(head.count) {
            let kept = head[Int(start)...].prefix(buffer.count)
            unsafe buffer.copyBytes(from: kept)
            return kept.count
        }
        if !keepsHead { head = [] }
        let count = unsafe fetchFromSource(at: start, into: buffer)
        if keepsHead, count > 0, start == Int64(head.count) { unsafe head += buffer[..<count] }
        return count
    }

    private func fetchFromSource(at start: Int64, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        var isWaiting = false
        while true {
            switch unsafe source.read(at: start, into: buffer) {
            case .bytes(let count):
                // Asked for after the read: a seam is told before the bytes that follow it.
                if let seam = source.seam(after: sessionStart), start >= seam {
                    sessionBreak = seam
                    return 0
                }
                return max(0, min(count, buffer.count))
            case .gone(let oldest):
                sessionBreak = oldest
                isBreakGap = true
                return 0
            case .end: return 0
            case .failed(let reason):
                failure = reason
                return -1
            case .wait:
                if waiting.service() {
                    isInterrupted = true
                    return -1
                }
                if !isWaiting { waiting.began() }
                isWaiting = true
                if let deadline { wake.wait(until: deadline) } else { wake.wait() }
            }
        }
    }

    // MARK: Tags between and after frames

    /// True when the block is no more than the first bytes of a tag's header.
    private func isCutTag() -> Bool {
        unsafe blockCount < APETag.headerBytes
            && APETag.couldBegin(UnsafeRawBufferPointer(rebasing: block[..<blockCount]))
    }

    /// Blanks an APE tag that begins here; one at the very end is cut off.
    private func findTag() {
        let bytes = unsafe UnsafeRawBufferPointer(rebasing: block[..<blockCount])
        if let position = unsafe APETag.firstPossibleHeader(in: bytes) {
            if position > 0 {
                blockCount = position
            } else if let tag = unsafe APETag(header: bytes) {
                blanked = blockStart..<blockStart &+ Int64(tag.bytesAfterHeader &+ APETag.headerBytes)
                if let length = source.information?.length, blanked.upperBound &+ 128 >= length {
                    cut(at: blockStart)
                }
            }
        }
    }

    /// Overwrites what is no sound with zeros, which no decoder takes for a frame.
    private func blankOut() {
        let part = blanked.clamped(to: blockStart..<blockStart &+ Int64(blockCount))
        for index in part { unsafe block[Int(index &- blockStart)] = 0 }
    }
}
