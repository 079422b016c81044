/// What `jukebox-decoder` says to the daemon, which believes none of it: what is out of bounds is no reply.
package enum DecoderReply: Equatable, Sendable {
    /// A question: bytes of a resource from an offset on, at most that many. Frames that are ready can be had meanwhile.
    case read(resource: Int, offset: Int64, count: Int, readyFrames: Int)
    /// A question: a piece of a picture lies in the memory.
    case portion(bytes: Int)
    /// It is open; the text in the memory is a `LinkInformation`.
    case opened(textBytes: Int)
    /// Frames lie in the memory; the last of them was decoded from about that byte.
    case frames(Int, offset: Int64)
    /// The frames that follow have another format.
    case format(sampleRate: Int, channels: Int)
    /// Metadata of what follows; the text in the memory is their fields.
    case metadata(textBytes: Int)
    /// The same as an ID3 tag, whose bytes lie in the memory.
    case tag(textBytes: Int)
    /// Nothing follows.
    case end
    /// The command came to nothing, since bytes were refused.
    case abandoned
    /// That frame comes next; the place may be a guess.
    case seeked(frame: Int, isExact: Bool)
    /// It cannot go on.
    case failed(Failure)

    /// Why it cannot go on.
    package enum Failure: Int, Sendable, CaseIterable {
        /// Nothing in it is known.
        case unknownContent
        /// A container without sound.
        case noSound
        /// What tells where its sound lies comes after it, and nothing can be gone back to.
        case indexOutOfReach
        /// Sound of a kind that there is no decoder for.
        case unknownCodec
        /// More channels or another rate than can be played.
        case unplayableFormat
        case damaged
        /// MPEG audio, which is not decoded here.
        case mpegAudio
        case outOfMemory
    }

    /// The rates in Hz that are played.
    package static let sampleRates = 8_000...384_000
    /// The numbers of channels that are played.
    package static let channelCounts = 1...8

    private enum Kind: Int64 {
        case read, portion, opened, frames, format, metadata, end, abandoned, seeked, failed, tag
    }

    package var message: LinkMessage {
        switch self {
        case .read(let resource, let offset, let count, let ready):
            LinkMessage(Kind.read.rawValue, Int64(resource), offset, Int64(count), Int64(ready))
        case .portion(let bytes): LinkMessage(Kind.portion.rawValue, Int64(bytes))
        case .opened(let bytes): LinkMessage(Kind.opened.rawValue, Int64(bytes))
        case .frames(let count, let offset): LinkMessage(Kind.frames.rawValue, Int64(count), offset)
        case .format(let rate, let channels):
            LinkMessage(Kind.format.rawValue, Int64(rate), Int64(channels))
        case .metadata(let bytes): LinkMessage(Kind.metadata.rawValue, Int64(bytes))
        case .tag(let bytes): LinkMessage(Kind.tag.rawValue, Int64(bytes))
        case .end: LinkMessage(Kind.end.rawValue)
        case .abandoned: LinkMessage(Kind.abandoned.rawValue)
        case .seeked(let frame, let isExact):
            LinkMessage(Kind.seeked.rawValue, Int64(frame), isExact ? 1 : 0)
        case .failed(let failure): LinkMessage(Kind.failed.rawValue, Int64(failure.rawValue))
        }
    }

    /// Reads a message; nil when it is none of these or a number of it is out of bounds.
    package init?(_ message: LinkMessage) {
        guard let kind = Kind(rawValue: message.kind), let first = message.number(0) else { return nil }
        switch kind {
        case .read:
            guard let offset = message.number(1), let count = message.number(2, in: 1...Int.max),
                let ready = message.number(3, in: 0...SharedMemory.mostFrames)
            else { return nil }
            let most = min(count, SharedMemory.inputBytes)
            self = .read(resource: first, offset: Int64(offset), count: most, readyFrames: ready)
        case .frames:
            guard (1...SharedMemory.mostFrames).contains(first), let offset = message.number(1) else {
                return nil
            }
            self = .frames(first, offset: Int64(offset))
        case .format:
            guard Self.sampleRates.contains(first), let channels = message.number(1, in: Self.channelCounts)
            else { return nil }
            self = .format(sampleRate: first, channels: channels)
        case .portion, .opened, .metadata:
            guard first <= SharedMemory.textBytes else { return nil }
            self =
                kind == .portion
                ? .portion(bytes: first)
                : kind == .opened ? .opened(textBytes: first) : .metadata(textBytes: first)
        case .tag:
            guard first <= SharedMemory.textBytes else { return nil }
            self = .tag(textBytes: first)
        case .end: self = .end
        case .abandoned: self = .abandoned
        case .seeked: self = .seeked(frame: first, isExact: message.numbers[1] != 0)
        case .failed:
            guard let failure = Failure(rawValue: first) else { return nil }
            self = .failed(failure)
        }
    }
}
