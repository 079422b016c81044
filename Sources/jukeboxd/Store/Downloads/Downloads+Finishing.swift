import Base
import Loader
import Player
import Store

/// How a download ends: what came is looked at, and counts when the disk has it; what fails is tried again.
extension Downloads {
    /// How often the disk is asked whether all is on it.
    private static let mostLooks = 60
    /// Attempts in a row after which it is left until somebody asks.
    private static let mostAttempts: Int64 = 8
    /// Nobody can be reached, or not now: what is worth another attempt by itself.
    private static let passing: Set<String> = [
        "unreachable", "no_such_host", "timeout", "http_error", "incomplete", "tls", "unsupported_format",
        "denied",
        "internal", "unauthorized", "forbidden",
    ]

    /// All of it is here: is it what was wanted?
    func check(_ download: Download) {
        guard let bytes = download.bytes, !download.isChecking else { return }
        download.isChecking = true
        let (id, attempt, type, url) = (download.id, download.attempt, download.contentType, shown(download))
        let isAccepted: Void? = try? checks.run { [mailbox = service.mailbox] in
            let failure = DownloadCheck.failure(bytes, contentType: type, url: url)
            mailbox.post { $0.downloads.checked(id, attempt, failure) }
        }
        if isAccepted == nil {
            fail(download, PlaybackFailure(.internal, "There is no thread to check \(url)."))
        }
    }

    func checked(_ id: Int64, _ attempt: Int, _ failure: PlaybackFailure?) {
        guard let download = all[id], download.attempt == attempt, download.row.state == .running else {
            return
        }
        if let failure {
            loader.cache?.pin(url: download.row.url, false)
            download.isPinned = false
            fail(download, failure)
            loader.cache?.clear(url: download.row.url) { _ in }
            return
        }
        settle(download, attempts: Self.mostLooks)
    }

    /// Waits until the disk has all of it, whatever moment the power goes.
    func settle(_ download: Download, attempts: Int) {
        let (id, attempt, url) = (download.id, download.attempt, download.row.url)
        loader.cache?.pin(url: url, true)
        loader.cache?.findWhole(of: [url]) { [mailbox = service.mailbox] found in
            mailbox.post { $0.downloads.settled(id, attempt, isHere: !found.isEmpty, attempts: attempts - 1) }
        }
    }

    func settled(_ id: Int64, _ attempt: Int, isHere: Bool, attempts: Int) {
        guard let download = all[id], download.attempt == attempt, download.row.state == .running else {
            return
        }
        if isHere { return finish(download) }
        guard attempts > 0 else {
            return fail(
                download,
                PlaybackFailure(.internal, "The disk of the cache does not keep \(shown(download))."))
        }
        service.loop.schedule(after: .milliseconds(500)) { [weak self] in
            guard let self, let download = all[id], download.attempt == attempt else { return }
            settle(download, attempts: attempts)
        }
    }

    func finish(_ download: Download) {
        download.stop()
        download.change {
            $0.state = .finished
            $0.received = $0.expected ?? $0.received
            $0.expected = $0.received
            $0.finished = service.loop.unixTime
            $0.attempts = 0
        }
        keep(download)
        startWaiting()
    }

    // MARK: What fails

    func fail(_ download: Download, _ failure: PlaybackFailure) {
        download.stop()
        download.change {
            $0.state = .failed
            $0.failure = .init(code: failure.code.rawValue, message: failure.message)
            $0.attempts += 1
        }
        keep(download)
        retryLater(download)
        startWaiting()
    }

    /// Tries again by itself: after a minute first, then four times as long each time.
    func retryLater(_ download: Download) {
        guard let code = download.row.failure?.code, Self.passing.contains(code),
            download.row.attempts <= Self.mostAttempts
        else { return }
        let seconds = 60 << (2 * min(4, max(0, download.row.attempts - 1)))
        let (id, attempt) = (download.id, download.attempt)
        service.loop.schedule(after: .seconds(seconds)) { [weak self] in
            guard let self, let download = all[id], download.attempt == attempt, download.row.state == .failed
            else { return }
            download.change { $0.state = .queued }
            startWaiting()
        }
    }
}
