import Base

/// Announcements over the current item.
extension DecodeLoop {
    /// It begins when so many bytes of it are here, or all.
    private static let bytesToBegin: Int64 = 64 << 10

    func announce(_ item: DecodeItem, _ shares: AnnouncementShares) {
        announcement = Announcement(stage(for: item), shares, after: announcement)
    }

    /// Opens the announcement when it is here, and tells what of it was heard; true when something was done.
    func passAnnouncement() -> Bool {
        guard let announcement else { return false }
        let token = announcement.stage.item.token
        let heard = announcement.takeHeard { rings.isHeard($0.frame, of: $0.ring) }
        for place in heard { tell(place.isEnd ? .announced(token: token) : .announcing(token: token)) }
        if announcement.isDone { self.announcement = nil }
        return !heard.isEmpty || announcement.isWaiting && begin(announcement)
    }

    /// Asks to be woken at the announcement's next place, while nothing is decoded; true when it was heard meanwhile.
    func awaitAnnouncement() -> Bool {
        guard let frames = framesToAnnouncementPlace else { return false }
        rings.wake(whenAhead: frames)
        return passAnnouncement()
    }

    /// Frames in hand when the next place of the announcement is heard; nil when none is awaited.
    var framesToAnnouncementPlace: Int? {
        guard let place = announcement?.places.first, place.ring === rings.ring else { return nil }
        return rings.produced - place.frame
    }

    private func begin(_ announcement: Announcement) -> Bool {
        guard let format = rings.ring?.format, isHere(announcement) else { return false }
        let stage = announcement.stage
        do throws(PlaybackFailure) {
            guard try stage.open(), let information = stage.information else {
                announcement.retry(with: self.stage(for: stage.item))
                return true
            }
            tell(.opened(token: stage.item.token, information))
            let isFirst = announcement.before == nil
            announcement.begin(gain: factor(stage), in: format)
            // What another was mixed into stays as it is.
            if isFirst {
                announcement.prepare(frames: rings.framesAhead, format)
                unsafe rings.retouch { unsafe announcement.mix(into: $0, at: $1, of: $2) }
            }
        } catch {
            self.announcement = announcement.before
            tell(.failed(token: stage.item.token, error))
        }
        return true
    }

    /// True when it is worth trying to open it; else its source wakes this thread when there is more.
    private func isHere(_ announcement: Announcement) -> Bool {
        let source = announcement.stage.item.source
        let here = source.bytesAvailable(from: 0)
        guard here > announcement.triedAt else { return false }
        if here < Self.bytesToBegin {
            var byte: UInt8 = 0
            let next = unsafe withUnsafeMutableBytes(of: &byte) { unsafe source.read(at: here, into: $0) }
            if case .wait = next { return false }
        }
        announcement.triedAt = here
        return true
    }

    /// Ends it early. What was mixed and not heard is decoded anew, where the item can go back to there.
    func endAnnouncement() {
        guard let ended = announcement, !ended.isHeardOut else { return }
        guard !ended.isWaiting, rings.framesAhead > 0 else {
            announcement = ended.before
            return
        }
        guard let stage = current, stage.isStarted, stage.isSeekable, finished == nil, fade == nil else {
            return ended.leave()
        }
        announcement = nil
        seek(stage, max(0, stage.seconds - stage.format.seconds(ofFrames: rings.framesAhead)))
    }
}
