import Base
import Synchronization

/// Reads blocks from disk on a thread of its own, `jb-read`, so that a disk that hangs holds up nobody else.
final class BlockQueue: Sendable {
    /// A block that is read; any thread.
    final class Reading: Sendable {
        enum Outcome {
            case underWay
            case read(BlockBytes)
            /// Torn or rotten.
            case damaged
        }

        private struct State: ~Copyable {
            var outcome = Outcome.underWay
            var whenDone: (@Sendable () -> Void)?
        }

        let block: StoredBlock
        private let state = Mutex(State())
        private let done = WakePoint()

        init(_ block: StoredBlock) { self.block = block }

        /// What came of it, waited for a moment; if nothing did by then, `whenDone` is called later.
        func outcome(within patience: Duration, orCall whenDone: @escaping @Sendable () -> Void) -> Outcome {
            let deadline = MonotonicTime.now + patience
            while case .underWay = state.withLock({ $0.outcome }), done.wait(until: deadline) {}
            return state.withLock { state in
                if case .underWay = state.outcome { state.whenDone = whenDone }
                return state.outcome
            }
        }

        fileprivate func read() {
            let bytes = BlockBytes(count: Int(block.segment.count))
            let isGood = unsafe block.file.read(block.segment, into: bytes.raw)
            let whenDone = state.withLock { state in
                state.outcome = isGood ? .read(bytes) : .damaged
                return state.whenDone
            }
            done.signal()
            whenDone?()
        }
    }

    private let queue = JobQueue(name: "jb-read")

    /// Begins to read a block. Without a thread to be had it is read at once.
    func read(_ block: StoredBlock) -> Reading {
        let reading = Reading(block)
        do throws(SystemError) {
            try queue.run { reading.read() }
        } catch {
            reading.read()
        }
        return reading
    }
}

/// Memory for a block: written by one thread, and then only read.
@safe final class BlockBytes: @unchecked Sendable {
    // Safe because this owner alone allocates and frees it, and nobody reads before the writer is done.
    let raw: UnsafeMutableRawBufferPointer

    init(count: Int) { unsafe raw = .allocate(byteCount: count, alignment: 16) }

    deinit { unsafe raw.deallocate() }
}
