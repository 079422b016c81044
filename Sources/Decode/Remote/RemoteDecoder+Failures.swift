import Base
import DecoderLink

/// What went wrong, in words.
extension RemoteDecoder {
    /// The process is of no use any more; the item ends.
    func damaged(_ how: String) -> PlaybackFailure {
        process = nil
        return PlaybackFailure(.corrupt, "\(name) is damaged: \(how).")
    }

    /// The reason behind a reply that is none to what was asked.
    func unexpected(_ reply: DecoderReply) throws(PlaybackFailure) -> PlaybackFailure {
        if let failure = reader.failure { throw failure }
        switch reply {
        case .failed(let failure):
            process = nil
            return self.failure(failure)
        default: return damaged("the decoder makes no sense")
        }
    }

    private func failure(_ failure: DecoderReply.Failure) -> PlaybackFailure {
        switch failure {
        case .mpegAudio: return refusal
        case .unknownContent:
            guard let what else { return refusal }
            return PlaybackFailure(.corrupt, "\(name) begins as \(what), but holds no sound that is known.")
        case .noSound:
            return PlaybackFailure(.unsupportedFormat, "\(name) holds no sound.")
        case .unknownCodec:
            return PlaybackFailure(
                .unsupportedFormat, "\(name) holds sound of a kind that cannot be decoded.")
        case .indexOutOfReach:
            return PlaybackFailure(
                .unsupportedFormat,
                "\(name) has its index at its end, which its server does not give at once.")
        case .unplayableFormat:
            return PlaybackFailure(
                .unsupportedFormat, "\(name) has more channels or another sample rate than can be played.")
        case .damaged: return damaged("no sound could be decoded")
        case .outOfMemory: return damaged("it asks for more memory than sound needs")
        }
    }
}
