/// What the daemon says to `jukebox-decoder`: a command, or the answer to its question.
package enum DecoderRequest: Equatable, Sendable {
    /// Open what can be read, anew if something is open; the text in the memory is a `LinkOpening`.
    case open(textBytes: Int)
    /// Give frames, at most that many.
    case decode(frames: Int)
    /// Go to a frame.
    case seek(frame: Int)
    /// The bytes that were asked for lie in the memory: some, at least one.
    ///
    /// `takenFrames`: true when the frames that were ready were taken, so that the next ones lie at the start again.
    case bytes(count: Int, haveFramesBeenTaken: Bool)
    /// No byte is there, for that reason.
    case noBytes(Absence, haveFramesBeenTaken: Bool)
    /// The portion was taken.
    case goOn

    /// Why there is no byte.
    package enum Absence: Int, Error, Sendable {
        /// What is read ends there.
        case end
        /// It cannot be read.
        case failed
        /// Whoever asked wants no more of it; the command is to be answered by `abandoned`.
        case abandoned
    }

    private enum Kind: Int64 { case open, decode, seek, bytes, noBytes, goOn }

    package var message: LinkMessage {
        switch self {
        case .open(let bytes): LinkMessage(Kind.open.rawValue, Int64(bytes))
        case .decode(let frames): LinkMessage(Kind.decode.rawValue, Int64(frames))
        case .seek(let frame): LinkMessage(Kind.seek.rawValue, Int64(frame))
        case .bytes(let count, let taken): LinkMessage(Kind.bytes.rawValue, Int64(count), taken ? 1 : 0)
        case .noBytes(let absence, let taken):
            LinkMessage(Kind.noBytes.rawValue, Int64(absence.rawValue), taken ? 1 : 0)
        case .goOn: LinkMessage(Kind.goOn.rawValue)
        }
    }

    /// Reads a message; nil when it is none of these.
    package init?(_ message: LinkMessage) {
        guard let kind = Kind(rawValue: message.kind), let first = message.number(0) else { return nil }
        let isTaken = message.numbers[1] != 0
        switch kind {
        case .open: self = .open(textBytes: min(first, SharedMemory.textBytes))
        case .decode: self = .decode(frames: first)
        case .seek: self = .seek(frame: first)
        case .bytes:
            self = .bytes(count: min(first, SharedMemory.inputBytes), haveFramesBeenTaken: isTaken)
        case .noBytes:
            guard let absence = Absence(rawValue: first) else { return nil }
            self = .noBytes(absence, haveFramesBeenTaken: isTaken)
        case .goOn: self = .goOn
        }
    }
}
