import Base
import Synchronization

/// What was received last of a live stream: in memory, and beyond that in a file while somebody listens late.
///
/// While nobody listens the newest bytes are taken, and what is too old goes, heard or not. The file is begun when
/// the reader falls behind, written on a thread of its own and never synced; back at the live end nothing more is
/// written, and it goes once memory has moved on past it.
final class LiveStore: RangeStore, Sendable {
    private struct State {
        var memory: MemoryWindow
        /// The part on disk: it ends within what memory holds, so that both are one range.
        var spill: SpillFile?
        /// True while a job copies memory to the file.
        var isSpilling = false
        /// True once the disk could not be used, or nobody reads any more.
        var hasFailed = false
        var first: MonotonicTime?
        var reader: Int64 = 0
        /// When the reader moved last.
        var moved: MonotonicTime?
        var start: Int64 { spill?.range.lowerBound ?? memoryStart }
        var memoryStart: Int64 { memory.ranges.first?.lowerBound ?? memory.end }
    }

    private let plan: TimeShiftPlan
    private let memoryLimit: Int
    private let disk: JobQueue
    // Safe because the window, though a class, is reached under this lock only.
    private let state: Mutex<State>

    /// Creates an empty store; `disk` runs what waits for a disk.
    init(_ plan: TimeShiftPlan, disk: JobQueue) {
        self.plan = plan
        self.disk = disk
        memoryLimit = plan.memoryBytes
        state = Mutex(State(memory: MemoryWindow(limit: memoryLimit, retainedBytes: 0)))
    }

    private func withState<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
        state.withLock { state in body(&state) }
    }

    // MARK: RangeStore

    /// All that there is room for is kept.
    var retainedBytes: Int {
        get { memoryLimit }
        set { _ = newValue }
    }

    var ranges: [Range<Int64>] {
        withState { $0.start < $0.memory.end ? [$0.start..<$0.memory.end] : [] }
    }

    /// All is taken, whoever listens, but for a server that sends faster than it is heard: that one is held back.
    func room(at offset: Int64, reader: Int64) -> Int {
        withState { state in
            note(reader, &state)
            let safe = max(reader, state.spill?.range.upperBound ?? 0, state.memoryStart)
            let room = memoryLimit - Int(clamping: max(0, state.memory.end - safe))
            let isHeard = state.moved.map { MonotonicTime.now - $0 < plan.patience } ?? false
            return room >= memoryLimit / 4 || !isHeard ? .max : max(0, room)
        }
    }

    private func note(_ reader: Int64, _ state: inout State) {
        if reader != state.reader || state.moved == nil { state.moved = .now }
        state.reader = reader
    }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64, reader: Int64) {
        let mustSpill = withState { state -> Bool in
            note(reader, &state)
            state.first = state.first ?? .now
            // The window holds nothing back for a reader that stands beyond all of it.
            unsafe state.memory.write(bytes, at: offset, reader: .max)
            dropWhatMemoryLeft(&state)
            return wantsSpill(&state)
        }
        if mustSpill { beginSpilling() }
    }

    var resumeRoom: Int { memoryLimit / 4 }

    func removeAll() {
        withState { state in
            state.memory.removeAll()
            state.spill = nil
        }
    }

    /// Frees memory and file, whoever else still holds the store.
    func close() {
        withState { state in
            state.hasFailed = true
            state.spill = nil
            state.memory.removeAll()
        }
    }

    func available(from offset: Int64) -> Int64 {
        withState { offset >= $0.start && offset < $0.memory.end ? $0.memory.end - offset : 0 }
    }

    func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        return withState { state in
            if offset >= state.memoryStart { return unsafe state.memory.read(at: offset, into: buffer) }
            guard let spill = state.spill, spill.range.contains(offset) else { return 0 }
            let count = unsafe spill.read(at: offset, into: buffer)
            // What cannot be read is as good as gone: the reader goes on with what is in memory.
            if count == 0 { state.spill = nil }
            return count
        }
    }

    // MARK: Spilling

    /// True when bytes lie on disk.
    var isOnDisk: Bool { withState { $0.spill != nil } }

    /// A file that no longer reaches what memory holds is of no use.
    private func dropWhatMemoryLeft(_ state: inout State) {
        if let spill = state.spill, spill.range.upperBound < state.memoryStart { state.spill = nil }
    }

    /// Decides whether bytes must go to disk now.
    private func wantsSpill(_ state: inout State) -> Bool {
        guard !state.isSpilling, !state.hasFailed, plan.spilling != .never else { return false }
        let end = state.memory.end
        let unwritten = end - max(state.spill?.range.upperBound ?? 0, state.memoryStart)
        let isLate = end - state.reader > Int64(memoryLimit / 2)
        guard plan.spilling == .always || isLate, unwritten >= Int64(SpillFile.chunkBytes) else {
            return false
        }
        state.isSpilling = true
        return true
    }

    private func beginSpilling() {
        do throws(SystemError) {
            try disk.run { [self] in spill() }
        } catch {
            giveUp(error)
        }
    }

    /// Copies what memory holds to the file, on the disk's thread.
    private func spill() {
        do throws(SystemError) {
            try openFile()
            let chunk = UnsafeMutableRawBufferPointer.allocate(
                byteCount: SpillFile.chunkBytes, alignment: 4096)
            defer { unsafe chunk.deallocate() }
            while let piece = withState({ unsafe nextPiece(&$0, chunk) }) {
                try unsafe piece.file.write(
                    UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(chunk)[..<piece.bytes]),
                    at: piece.offset)
                withState { state in
                    guard state.spill?.file === piece.file else { return }
                    state.spill?.extend(by: piece.bytes)
                }
            }
        } catch {
            giveUp(error)
        }
    }

    private func openFile() throws(SystemError) {
        let (isOpen, rate) = withState { state in
            let seconds = state.first.map { (MonotonicTime.now - $0).inSeconds } ?? 0
            return (state.spill != nil, Double(state.memory.end) / max(1, seconds))
        }
        if isOpen { return }
        let spill = try SpillFile(in: plan.folders, bytes: plan.bytesOnDisk(perSecond: rate))
        withState { state in
            guard !state.hasFailed else { return }
            let start = state.memoryStart
            state.spill = spill
            state.spill?.begin(at: start)
        }
        Log.debug("loader", "a live stream is heard late: what is older than memory goes to a file")
    }

    private struct Piece {
        let file: SpillFile.Storage
        let offset: Int64
        let bytes: Int
    }

    /// Copies the next bytes for the file; nil when there are not enough, and then the job ends.
    private func nextPiece(_ state: inout State, _ room: UnsafeMutableRawBufferPointer) -> Piece? {
        guard let spill = state.spill, state.memory.end - spill.range.upperBound >= Int64(room.count) else {
            state.isSpilling = false
            return nil
        }
        let count = unsafe state.memory.read(at: spill.range.upperBound, into: room)
        guard count > 0 else {
            // Memory went on while the disk was slow: the file has a hole now.
            state.spill = nil
            state.isSpilling = false
            return nil
        }
        state.spill?.makeRoom(for: count)
        return Piece(file: spill.file, offset: spill.range.upperBound, bytes: count)
    }

    private func giveUp(_ error: SystemError) {
        Log.warning("loader", "a live stream is kept in memory only: \(error)")
        withState { state in
            state.hasFailed = true
            state.isSpilling = false
            state.spill = nil
        }
    }
}
