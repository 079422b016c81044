import Base
import Playlist

/// A playlist of a stream that is being read.
struct HLSReading {
    let isFirst: Bool
    let address: (url: String, mayLeadToThisMachine: Bool)
    let began = MonotonicTime.now
    var bytes: ListBytes

    func close() { bytes.source.close() }
}

/// Its playlist: the first one, the one that a master playlist names, and all later editions.
extension HLSStream {
    /// Reads on in the playlist that is due, if one is.
    func readPlaylist(_ scratch: UnsafeMutableRawBufferPointer) {
        if reading == nil, isLive, list?.isComplete == false, reloadAt <= .now {
            read(address, isFirst: false)
        }
        guard var now = reading else { return }
        let state = unsafe now.bytes.read(scratch)
        reading = now
        switch state {
        case .waiting:
            guard now.began + Self.readingPatience < .now else { return }
            missPlaylist(PlaybackFailure(.timeout, "\(name) has a playlist that does not come."))
        case .whole: takeWhole(now)
        case .failed(let failure): missPlaylist(failure)
        case .noText, .tooLong:
            missPlaylist(PlaybackFailure(.corrupt, "\(name) has a playlist that is none."))
        }
    }

    /// What nobody reads on in is not asked for.
    private var isReloadDue: Bool {
        isLive && list?.isComplete == false && reloadAt <= .now && !part.isFull && !part.hasEnded
    }

    private func read(_ address: (url: String, mayLeadToThisMachine: Bool), isFirst: Bool) {
        let source = door.open(address.url, address.mayLeadToThisMachine, true)
        source.setWakePoint(wake)
        reading = HLSReading(isFirst: isFirst, address: address, bytes: ListBytes(source))
        reloadAt = .now + .seconds(1)
    }

    private func takeWhole(_ now: HLSReading) {
        let information = now.bytes.source.information
        reading = nil
        now.close()
        address = now.address
        if let place = information?.place {
            origin = PlaylistOrigin(
                .network(url: place.url), mayLeadToThisMachine: place.mayLeadToThisMachine)
        } else if now.address.url.hasPrefix("/") {
            origin = PlaylistOrigin(.file(path: now.address.url))
        }
        takePlaylist(now.bytes.bytes)
    }

    /// Reads what a playlist says.
    func takePlaylist(_ bytes: [UInt8]) {
        do throws(PlaybackFailure) {
            guard bytes.count <= StreamPlaylist.mostBytes else {
                throw PlaybackFailure(.unsupportedFormat, "\(name) has a playlist that is too long.")
            }
            switch try StreamPlaylist.read(bytes, from: origin, name: name) {
            case .master(let urls):
                guard choices.isEmpty, list == nil else {
                    throw PlaybackFailure(
                        .tooManyRedirects, "\(name) leads from one list of streams to another.")
                }
                choices = urls
                choose()
            case .media(let new): list == nil ? begin(new) : goOn(new)
            }
        } catch {
            missPlaylist(error)
        }
    }

    private func choose() {
        let url = choices.removeFirst()
        door.note(.playlist, "is a list of streams (HLS); heard is \(URLMask.shown(url))")
        read((url, origin.mayLeadToThisMachine), isFirst: true)
    }

    /// A playlist is not to be had: another that holds the same is tried, or the same once more.
    private func missPlaylist(_ failure: PlaybackFailure) {
        reading?.close()
        reading = nil
        door.note(.retry, failure.message)
        if list == nil {
            choices.isEmpty ? fail(failure) : choose()
        } else if lastNews + Self.patience < .now {
            fail(failure)
        } else {
            reloadAt = .now + pause / 2
        }
    }

    // MARK: What it says

    /// As long as the longest piece, within reason.
    private var pause: Duration { .seconds(clamping: min(max(list?.targetSeconds ?? 1, 1), 60)) }

    private func begin(_ new: MediaPlaylist) {
        list = new
        isLive = !new.isComplete
        next = isLive ? edge(of: new) : new.segments.first?.number ?? 0
        reloadAt = .now + pause
        var starts: [Double] = []
        var seconds = 0.0
        if !isLive {
            for segment in new.segments {
                starts.append(seconds)
                seconds += segment.seconds
            }
        }
        let information = ContentInformation(
            contentType: "application/vnd.apple.mpegurl", isSeekable: !isLive, isLive: isLive)
        source.tell(information, starts: starts, duration: isLive ? nil : seconds)
        door.note(
            .playlist, isLive ? "is a live stream (HLS)" : "is a stream (HLS) of \(starts.count) pieces")
        door.tell(.information(information))
    }

    private func goOn(_ new: MediaPlaylist) {
        let isNews = new.segments.last?.number != list?.segments.last?.number || new.isComplete
        if let last = new.segments.last, last.number < next - 1 {
            // Whoever makes the stream has begun anew to count.
            next = edge(of: new)
            isGap = true
        }
        list = new
        if isNews { lastNews = .now }
        reloadAt = .now + (isNews ? pause : pause / 2)
        if !isNews, lastNews + Self.patience < .now {
            fail(PlaybackFailure(.timeout, "\(name) has not gone on for \(Int(Self.patience.inSeconds)) s."))
        }
    }

    /// The piece that a live stream is begun with.
    func edge(of list: MediaPlaylist) -> Int {
        list.segments.suffix(Self.piecesFromEnd).first?.number ?? 0
    }
}
