import Base
import Control
import Decode
import Loader
import Player

/// `probe`: what an item is, without playing it. Opened on a thread of its own, one after the other.
final class Prober {
    /// How long one item may take.
    private static let patience = Duration.seconds(20)
    /// Clients that wait at most.
    private static let waitingLimit = 32

    private let loader: Loader
    private let jobs = JobQueue(name: "jb-probe")
    private let waiting = Guarded(0)

    init(loader: Loader) { self.loader = loader }

    /// Adds the method.
    func add(to commands: CommandTable) {
        commands.add("probe", positional: "url") { [unowned self] (call) throws(CommandFailure) in
            let url = try call.parameters.string("url")
            try MediaURL.check(url)
            let slot = call.makeReplySlot()
            try run(url, slot)
            return .later(slot)
        }
    }

    private func run(_ url: String, _ slot: ReplySlot) throws(CommandFailure) {
        let busy = CommandFailure(.limit, "\(Self.waitingLimit) items are being looked at already.")
        let isFull = waiting.withLock { count in
            count += count < Self.waitingLimit ? 1 : 0
            return count == Self.waitingLimit
        }
        if isFull { throw busy }
        do throws(SystemError) {
            try jobs.run { [loader, waiting] in
                slot.fill(Self.outcome(of: url, loader))
                waiting.withLock { $0 -= 1 }
            }
        } catch {
            waiting.withLock { $0 -= 1 }
            throw busy
        }
    }

    private static func outcome(of url: String, _ loader: Loader) -> Result<JSONText, CommandFailure> {
        let source = loader.open(url: url, events: { _ in })
        defer { source.close() }
        let shown = URLMask.shown(url)
        do throws(PlaybackFailure) {
            let stream = try ItemProbe.information(of: source, name: shown, until: .now + patience)
            return .success(text(shown, stream, source.information))
        } catch {
            let isMissing = [.fileNotFound, .notFound, .gone, .noSuchHost].contains(error.code)
            return .failure(CommandFailure(isMissing ? .notFound : .unsupported, error.message))
        }
    }

    private static func text(_ url: String, _ stream: StreamInformation, _ content: ContentInformation?)
        -> JSONText
    {
        JSONText.object { text in
            text.member("url", url)
            text.member("contentType", content?.contentType)
            text.member("bytes", content?.length.map { Int($0) })
            text.member("live", content?.isLive ?? false)
            text.member("container", stream.container)
            text.member("codec", stream.codec)
            text.member("sampleRate", stream.format.sampleRate)
            text.member("channels", stream.format.channels)
            text.member("bitsPerSample", stream.bitsPerSample)
            text.member("bitrate", stream.bitrate)
            text.member("duration", stream.duration)
            text.member("estimated", stream.isEstimated)
            text.member("gapless", stream.isGapless)
            text.member("seekable", stream.isSeekable)
            text.member(
                "replayGain",
                JSONText.object { gain in
                    gain.member("track", stream.tags.replayGain.track)
                    gain.member("album", stream.tags.replayGain.album)
                })
            text.member(
                "picture",
                stream.tags.picture.map { picture in
                    JSONText.object { text in
                        text.member("mediaType", picture.mediaType)
                        text.member("bytes", picture.bytes.count)
                    }
                })
            text.member(
                "tags",
                stream.tags.fields.map { field in
                    JSONText.object { text in
                        text.member("name", field.name)
                        text.member("value", field.value)
                    }
                })
        }
    }
}
