import Base
import Player

/// Playlists: what is opened to be played and turns out to be one, and what is read ahead.
extension Engine {
    func readPlaylist(_ token: Int, _ item: PlayableItem) {
        perform("read a playlist") { () throws(SystemError) in try listQueue.add(token, item) }
    }

    func cancelPlaylist(_ token: Int) { listQueue.cancel(token) }

    /// What no decoder takes may be a playlist: the bytes that are here are read as one. False when they cannot be.
    func readAsList(_ item: OpenItem, after failure: PlaybackFailure) -> Bool {
        guard failure.code == .unsupportedFormat, item.source.information != nil else { return false }
        item.refusal = failure
        perform("read a playlist") { () throws(SystemError) in
            try lists.read(
                ListRequest(
                    token: item.token, item: item.playable, source: item.source, isTried: true))
        }
        return true
    }

    /// Takes what a reading came to.
    func take(_ outcome: ListOutcome, of token: Int) {
        var isAhead = false
        perform("read a playlist") { () throws(SystemError) in isAhead = try listQueue.finished(token) }
        guard isAhead || item(token) != nil else { return }
        switch outcome {
        case .members(let members): hear(.playlist(token, members))
        case .stream(let document):
            if isAhead { hear(.noPlaylist(token)) } else { openStream(token, document) }
        case .noList:
            if isAhead { hear(.noPlaylist(token)) } else { fail(token, item(token)?.refusal) }
        case .failed(let failure):
            if isAhead { hear(.failed(token, failure)) } else { fail(token, failure) }
        }
    }

    private func fail(_ token: Int, _ failure: PlaybackFailure?) {
        guard let failure else { return }
        item(token)?.note(.error, failure.message, journal)
        hear(.failed(token, failure))
        settleEnd()
    }
}
