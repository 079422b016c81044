import Base
import Loader
import Store

/// How a download comes about: a reader that wants all of it, and what it is told.
extension Downloads {
    /// Fetched at one time.
    private static let most = 2

    /// Those that are under way.
    var running: [Download] { all.values.filter { $0.row.state == .running } }

    /// Begins with what waits, as many as may be.
    func startWaiting() {
        guard !isHeld, !isFull else { return }
        var running = running.count
        // What somebody asked for comes before what rules want.
        let waiting = all.values.filter { $0.row.state == .queued && service.keeper.isOpen($0) }.sorted {
            ($0.row.isByRule ? 1 : 0, $0.row.added, $0.id) < ($1.row.isByRule ? 1 : 0, $1.row.added, $1.id)
        }
        for download in waiting {
            guard running < Self.most else { return }
            running += 1
            start(download)
        }
    }

    func start(_ download: Download) {
        guard loader.cache != nil else {
            return fail(download, PlaybackFailure(.denied, "There is no cache to keep a download in."))
        }
        download.stop()
        download.change {
            $0.state = .running
            $0.failure = nil
        }
        keep(download)
        let (id, attempt) = (download.id, download.attempt)
        download.bytes = loader.open(
            url: download.row.url, headers: download.headers,
            mayLeadToThisMachine: download.mayLeadToThisMachine,
            purpose: .keeping
        ) { [mailbox = service.mailbox] event in
            mailbox.post { $0.downloads.take(event, of: id, attempt) }
        }
    }

    func take(_ event: SourceEvent, of id: Int64, _ attempt: Int) {
        guard let download = all[id], download.attempt == attempt, download.row.state == .running else {
            return
        }
        switch event {
        case .information(let information):
            download.contentType = information.contentType
            let hasNewLength = information.length != download.row.expected
            download.note(received: download.row.received, expected: information.length)
            // It may be larger than its publisher said, and than there is room for.
            if hasNewLength, download.row.isByRule { service.keeper.note(download.source) }
        case .progress(let progress):
            let here = progress.ranges.reduce(0) { $0 + Int64($1.count) }
            download.note(
                received: here, expected: download.bytes?.information?.length ?? download.row.expected)
            pin(download)
            if progress.isGivenUp {
                fail(download, reason(of: download))
            } else if progress.isComplete || (download.row.expected.map { here >= $0 } ?? false) {
                check(download)
            }
        case .failed(let failure): fail(download, failure)
        case .replaced: restart(download)
        case .connecting, .receiving, .reconnecting: break
        }
    }

    /// Why its loading was given up: what a reader would hear there.
    func reason(of download: Download) -> PlaybackFailure {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1, alignment: 1)
        defer { unsafe buffer.deallocate() }
        if let bytes = download.bytes,
            case .failed(let failure) = unsafe bytes.read(at: bytes.bytesAvailable(from: 0), into: buffer)
        {
            return failure
        }
        return PlaybackFailure(.incomplete, "\(shown(download)) did not come to its end.")
    }

    func shown(_ download: Download) -> String { URLMask.shown(download.row.url) }

    func pin(_ download: Download) {
        guard !download.isPinned, download.row.received > 0 else { return }
        download.isPinned = true
        loader.cache?.pin(url: download.row.url, true)
    }

    func restart(_ download: Download) {
        download.stop()
        download.change { $0.state = .queued }
        startWaiting()
    }
}
