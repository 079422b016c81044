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
            guard try revive() else { throw broken(error) }
            return nil
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
            let reply = try process.reply(within: min(Self.attention, patience))
            silence += .now - began
            if silence > patience { throw .ended }
            if let reply { return reply }
            if reader.isToBeAbandoned() { return nil }
        }
    }

    /// Answers its question for bytes; false when frames were taken instead of waiting, or when a command of the user's
    /// makes them useless.
    private func serve(_ process: DecoderProcess, _ place: Int64, _ count: Int, _ ready: Int)
        throws(DecoderProcess.Trouble) -> Bool
    {
        // Nobody who is sane asks for another place of what has to be read in order.
        guard stream.isInRandomOrder || place == stream.nextPlace else { throw .talksNonsense }
        let room = unsafe UnsafeMutableRawBufferPointer(rebasing: process.memory.input[..<count])
        var read = unsafe stream.readPreface(at: place, into: room)
        if read == 0 {
            reader.seek(to: stream.offset(of: place))
            if ready > 0, !reader.hasBytes(1) {
                turn = .asked(offset: place, count: count, readyFrames: 0)
                haveFramesBeenTaken = true
                hold(ready)
                return false
            }
            read = unsafe readSource(into: room)
            if read < 0, reader.isInterrupted { return false }
        }
        stream.nextPlace = place &+ Int64(max(0, read))
        let absence: DecoderRequest.Absence = read == 0 ? .end : .failed
        try process.send(
            read > 0
                ? .bytes(count: read, haveFramesBeenTaken: haveFramesBeenTaken)
                : .noBytes(absence, haveFramesBeenTaken: haveFramesBeenTaken))
        haveFramesBeenTaken = false
        turn = .its
        return true
    }

    /// Reads at least a byte from where the reader is, and what else is here, up to where another stream is chained;
    /// 0 at the end, -1 when failed or interrupted.
    private func readSource(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        if let link = stream.link, reader.offset >= link { return 0 }
        let start = reader.offset
        var filled = unsafe reader.read(into: buffer)
        while filled > 0, filled < buffer.count, reader.hasBytes(1) {
            let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
            let part = unsafe reader.read(into: rest)
            if part <= 0 { break }
            filled += part
        }
        guard filled > 0 else { return filled }
        let bytes = unsafe UnsafeRawBufferPointer(rebasing: buffer[..<filled])
        guard let link = unsafe stream.pages?.follow(bytes, at: start) else { return filled }
        stream.link = link
        return max(0, Int(link &- start))
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
