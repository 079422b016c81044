import Base
import Decode
import Loader
import Player

/// Streams of HLS: what is opened turns out to be the list of their pieces.
extension Engine {
    /// Lets an item go on as the stream that it turned out to be; nothing when it is wanted no more.
    func openStream(_ token: Int, _ document: HLSDocument) {
        guard let item = item(token) else { return }
        perform("load a stream") { () throws(SystemError) in
            let source = try streams.open(document, door(of: item))
            let opened = OpenItem(token: token, item.playable, source: source, at: item.startSeconds)
            item.source.close()
            if item === current {
                current = opened
                decode(opened, at: opened.startSeconds)
            } else if item === next {
                next = opened
                let playable = item.playable
                post(
                    .next(
                        DecodeItem(
                            token: token, source: source, name: name(of: playable),
                            loudness: loudness(of: playable))))
            } else {
                source.close()
                hear(
                    .failed(
                        token,
                        item.refusal ?? PlaybackFailure(.unsupportedFormat, "It is a stream of pieces.")))
            }
        }
    }

    /// How pieces are opened: headers of the item go to its own server only.
    private func door(of item: OpenItem) -> HLSDoor {
        let (playable, token) = (item.playable, item.token)
        let own = Origin(of: playable.url)
        let tell: @Sendable (SourceEvent) -> Void = { [mailbox] in mailbox.post(.source(token: token, $0)) }
        return HLSDoor(
            open: { [loader] url, mayLeadToThisMachine, isPlaylist in
                let headers = Origin(of: url) == own ? playable.headers.map { ($0.name, $0.value) } : []
                return loader.open(
                    url: url, headers: headers, mayLeadToThisMachine: mayLeadToThisMachine,
                    document: isPlaylist ? DocumentEdition() : nil
                ) { event in
                    if case .reconnecting = event { tell(event) }
                }
            },
            tell: tell,
            note: { [journal] kind, text in journal.note(playable.url, kind, text) })
    }
}
