import CFFmpeg
import DecoderLink
import Glibc

/// Serves the daemon's commands, one at a time, for as long as it wants.
final class Session {
    private let link: DaemonLink
    private var chain: Chain?
    /// Of the frames that were told last.
    private var toldForm: Sound.Form?

    init(_ link: DaemonLink) { self.link = link }

    func run() -> Never {
        while true { link.send(reply(to: link.command())) }
    }

    private func reply(to command: DecoderRequest) -> DecoderReply {
        do throws(Stop) {
            switch command {
            case .open(let count):
                guard let opening = LinkOpening(link.memory.text(count)) else { exit(1) }
                return try open(opening)
            case .decode(let frames): return try decode(atMost: frames)
            case .seek(let frame): return try seek(to: frame)
            case .bytes, .noBytes, .goOn: exit(1)
            }
        } catch {
            switch error {
            case .abandoned: return .abandoned
            case .failed(let failure): return .failed(failure)
            }
        }
    }

    private func open(_ opening: LinkOpening) throws(Stop) -> DecoderReply {
        chain = nil
        let chain = try Chain(link, opening)
        if let picture = unsafe chain.tags.picture { unsafe link.give(picture: picture) }
        toldForm = chain.sound.form
        self.chain = chain
        return .opened(textBytes: link.memory.write(text: chain.information.bytes))
    }

    private func decode(atMost frames: Int) throws(Stop) -> DecoderReply {
        guard let chain else { return .end }
        let offset = chain.sound.codec.offset ?? chain.sound.demuxer.reader.position
        // What a link of the chain, or the station, tells anew belongs to what follows.
        while link.readyFrames < frames {
            guard let form = try chain.next() else { break }
            if chain.sound.demuxer.hasTag {
                if link.readyFrames > 0 { break }
                if let tag = chain.sound.demuxer.takeTag() {
                    return .tag(textBytes: link.memory.write(text: tag))
                }
            }
            if chain.mayHaveNews, link.readyFrames > 0 { break }
            if let fields = chain.news() {
                var writer = LinkTextWriter()
                fields.write(to: &writer)
                return .metadata(textBytes: link.memory.write(text: writer.bytes))
            }
            if form != toldForm {
                if link.readyFrames > 0 { break }
                toldForm = form
                return .format(sampleRate: form.sampleRate, channels: form.channels)
            }
            let room = SharedMemory.mostFrames / form.channels - link.readyFrames
            if room <= 0 { break }
            let output = unsafe link.memory.samples.baseAddress! + link.readyFrames * form.channels
            link.readyFrames += try unsafe chain.sound.take(
                output, atMost: min(room, frames - link.readyFrames))
        }
        if link.readyFrames == 0 { return .end }
        return .frames(link.readyFrames, offset: max(0, offset))
    }

    private func seek(to frame: Int) throws(Stop) -> DecoderReply {
        guard let chain else { return .failed(.damaged) }
        let (landed, isExact) = try chain.seek(toFrame: frame)
        return .seeked(frame: landed, isExact: isExact)
    }
}
