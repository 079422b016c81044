import Base
import DecoderLink

/// Who speaks when.
extension RemoteDecoder {
    /// Gives a command, unless the one before is not answered yet, and waits for the answer.
    ///
    /// Nil when a command of the user's made it useless, or when frames were taken that were ready while bytes are
    /// waited for: the answer is still owed then, and the next call waits on.
    func command(_ make: (SharedMemory) -> DecoderRequest) throws(PlaybackFailure) -> DecoderReply? {
        guard let process else { throw damaged("the decoder is gone") }
        do throws(DecoderProcess.Trouble) {
            if case .idle = turn {
                haveFramesBeenTaken = false
                try process.send(make(process.memory))
                turn = .its
            }
            return try answer(of: process)
        } catch {
            throw broken(error)
        }
    }

    private func answer(of process: DecoderProcess) throws(DecoderProcess.Trouble) -> DecoderReply? {
        while true {
            switch turn {
            case .idle: return nil
            case .asked(let offset, let count, let ready):
                guard try serve(process, offset, count, ready) else { return nil }
            case .its:
                guard let reply = try waitForReply(of: process) else { return nil }
                switch reply {
                case .read(_, let offset, let count, let ready):
                    turn = .asked(offset: offset, count: count, readyFrames: ready)
                case .portion(let bytes):
                    guard picture.count + bytes <= Self.largestPicture else { throw .talksNonsense }
                    picture += process.memory.text(bytes)
                    try process.send(.goOn)
                default:
                    turn = .idle
                    return reply
                }
            }
        }
    }

    /// Waits for what the process says; nil when a command of the user's is to be served first.
    private func waitForReply(of process: DecoderProcess) throws(DecoderProcess.Trouble) -> DecoderReply? {
        while true {
            let began = MonotonicTime.now
            let reply = try process.reply(within: Self.attention)
            silence += .now - began
            if let reply { return reply }
            if silence > Self.patience { throw .ended }
            if reader.isToBeAbandoned() { return nil }
        }
    }

    /// Answers its question for bytes; false when frames were taken instead of waiting, or when a command of the user's
    /// makes them useless.
    private func serve(_ process: DecoderProcess, _ offset: Int64, _ count: Int, _ ready: Int)
        throws(DecoderProcess.Trouble) -> Bool
    {
        // Nobody who is sane asks for another place of what has to be read in order.
        guard isInRandomOrder || offset == nextOffset else { throw .talksNonsense }
        reader.seek(to: offset)
        if ready > 0, !reader.hasBytes(1) {
            turn = .asked(offset: offset, count: count, readyFrames: 0)
            haveFramesBeenTaken = true
            hold(ready)
            return false
        }
        let read = unsafe read(into: UnsafeMutableRawBufferPointer(rebasing: process.memory.input[..<count]))
        if read < 0, reader.isInterrupted { return false }
        if read > 0 {
            nextOffset = offset &+ Int64(read)
            try process.send(.bytes(count: read, haveFramesBeenTaken: haveFramesBeenTaken))
        } else {
            try process.send(
                .noBytes(read == 0 ? .end : .failed, haveFramesBeenTaken: haveFramesBeenTaken))
        }
        haveFramesBeenTaken = false
        turn = .its
        return true
    }

    /// Reads at least a byte, and what else is here; 0 at the end, -1 when failed or interrupted.
    private func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        var filled = unsafe reader.read(into: buffer)
        while filled > 0, filled < buffer.count, reader.hasBytes(1) {
            let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
            let part = unsafe reader.read(into: rest)
            if part <= 0 { break }
            filled += part
        }
        return filled
    }

    /// Ends the command that is not answered yet. False when a command of the user's came meanwhile.
    func abandon() throws(PlaybackFailure) -> Bool {
        guard let process else { throw damaged("the decoder is gone") }
        do throws(DecoderProcess.Trouble) {
            while true {
                switch turn {
                case .idle: return true
                case .asked:
                    try process.send(.noBytes(.abandoned, haveFramesBeenTaken: true))
                    turn = .its
                case .its:
                    guard let reply = try waitForReply(of: process) else { return false }
                    switch reply {
                    case .read(_, let offset, let count, _):
                        turn = .asked(offset: offset, count: count, readyFrames: 0)
                    case .portion: try process.send(.goOn)
                    default: turn = .idle
                    }
                }
            }
        } catch {
            throw broken(error)
        }
    }

    private func broken(_ trouble: DecoderProcess.Trouble) -> PlaybackFailure {
        damaged(trouble == .ended ? "the decoder broke down over it" : "the decoder makes no sense")
    }
}
