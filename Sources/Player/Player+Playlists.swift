import Base

/// Playlists in the queue give way to their members.
extension Player {
    // MARK: Reading ahead

    /// Begins to read those of some entries that look like playlists, but for what is open anyhow.
    func readPlaylists(_ ids: [Int64]) {
        for id in ids {
            guard id != item?.entryID, id != upcoming?.entryID, let entry = queue[id],
                MediaName.isPlaylist(entry.url), entry.origin?.takeReadAhead() ?? true
            else { continue }
            lastToken += 1
            readings[lastToken] = id
            engine.readPlaylist(lastToken, entry.playable)
        }
    }

    /// Begins to read those of new entries that look like playlists; most of many do not, and are not looked up.
    func readPlaylists(_ ids: [Int64], of items: [NewEntry]) {
        readPlaylists(zip(ids, items).filter { MediaName.isPlaylist($1.url) }.map(\.0))
    }

    /// Reads an entry no more: it is opened to be played.
    func dropReading(of id: Int64) {
        guard let token = readings.first(where: { $0.value == id })?.key else { return }
        readings[token] = nil
        engine.cancelPlaylist(token)
    }

    /// Ends the readings whose entries are gone.
    func checkReadings() {
        for (token, id) in readings where queue[id] == nil {
            readings[token] = nil
            engine.cancelPlaylist(token)
        }
    }

    /// Takes what a reading came to; false when nobody asked for it.
    func handleReading(_ event: EngineEvent, _ token: Int) -> Bool {
        guard let id = readings.removeValue(forKey: token) else { return false }
        switch event {
        case .playlist(_, let members):
            if let failure = replace(id, with: members) { note(failure, on: id) }
        case .failed(_, let failure): note(failure, on: id)
        default: break
        }
        return true
    }

    private func note(_ failure: PlaybackFailure, on id: Int64) {
        let at = timing.unixTime
        queue.update(id) { $0.error = EntryError(failure, at: at) }
    }

    // MARK: Replacing

    /// What was opened to be played turned out to be a playlist: its first member takes its place.
    func replaceCurrent(with members: PlaylistMembers) {
        if interlude != nil { return replaceAnnouncement(with: members) }
        guard let id = item?.entryID else { return }
        if let failure = replace(id, with: members) { fail(failure) }
    }

    /// What was prepared turned out to be a playlist: its first member is what follows.
    func replaceUpcoming(with members: PlaylistMembers) {
        guard let id = upcoming?.entryID else { return }
        engine.cancelNext()
        upcoming = nil
        if let failure = replace(id, with: members) {
            note(failure, on: id)
            isUpcomingRefused = true
        } else {
            prepareNext()
        }
    }

    /// Puts members in an entry's place, all or none; returns why not.
    private func replace(_ id: Int64, with members: PlaylistMembers) -> PlaybackFailure? {
        let isCurrent = queue.current?.id == id
        do throws(CommandFailure) {
            let ids = try queue.replace(id, with: members.entries, areChecked: true)
            if isCurrent { load() }
            readPlaylists(members.nested.filter(ids.indices.contains).map { ids[$0] })
            return nil
        } catch {
            return error.code == .notFound ? nil : PlaybackFailure(.unsupportedFormat, error.message)
        }
    }
}
