import Base
import Loader
import Player
import Store

/// Items that are to be here whole: they go into the loader's cache, where what was heard of them is already, and are
/// kept from being evicted. Control thread.
final class Downloads {
    /// Fetched at one time.
    private static let most = 2
    /// How long what is heard must have had enough before downloads go on.
    private static let calm = Duration.seconds(5)
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

    private unowned let service: StoreService
    private let loader: Loader
    private let checks = JobQueue(name: "jb-downloads")
    private(set) var all: [Int64: Download] = [:]
    /// True while what is heard needs the network for itself.
    private var isHeld = false
    private var isFull = false

    init(service: StoreService, loader: Loader) {
        self.service = service
        self.loader = loader
    }

    /// Takes up what was kept.
    func resume(_ rows: [(CatalogueDownload, CatalogueItem)]) {
        for (row, item) in rows {
            let download = Download(
                row, of: item, from: service.sources[item.source]?.row, table: service.table,
                loop: service.loop)
            all[row.item] = download
            if row.state == .running { download.change { $0.state = .queued } }
            if row.state == .failed { retryLater(download) }
        }
        lookAtFinished()
        startWaiting()
    }

    /// What was here may be gone: the cache's folder was removed, or moved.
    private func lookAtFinished() {
        let finished = all.values.filter { $0.row.state == .finished }.map(\.row.url)
        guard !finished.isEmpty else { return }
        loader.cache?.findWhole(of: finished) { [mailbox = service.mailbox] found in
            mailbox.post { $0.downloads.take(here: found) }
        }
    }

    private func take(here found: Set<String>) {
        for download in all.values where download.row.state == .finished && !found.contains(download.row.url)
        {
            download.change { $0.state = .queued }
            keep(download)
        }
        startWaiting()
    }

    // MARK: What people ask

    /// Asks for an item; nothing new for one that is under way or here.
    func add(_ item: CatalogueItem) {
        if let known = all[item.id] {
            guard known.row.state == .failed else { return }
            known.change {
                $0.state = .queued
                $0.attempts = 0
                $0.failure = nil
            }
            keep(known)
        } else {
            let row = CatalogueDownload(item: item.id, url: item.url, added: service.loop.unixTime)
            let download = Download(
                row, of: item, from: service.sources[item.source]?.row, table: service.table,
                loop: service.loop)
            all[item.id] = download
            keep(download)
        }
        startWaiting()
    }

    /// Ends one that is not here yet; what came of it may be evicted from now on. False when there is none.
    func cancel(_ id: Int64) -> Bool {
        guard let download = all[id], download.row.state != .finished else { return false }
        loader.cache?.pin(url: download.row.url, false)
        forget(download)
        startWaiting()
        return true
    }

    /// Removes one with its bytes. False when there is none.
    func delete(_ id: Int64) -> Bool {
        guard let download = all[id] else { return false }
        loader.cache?.pin(url: download.row.url, false)
        forget(download)
        loader.cache?.clear(url: download.row.url) { _ in }
        startWaiting()
        return true
    }

    /// Removes those of a source that is removed.
    func delete(ofSource source: Int64) {
        for download in all.values where download.source == source { _ = delete(download.id) }
    }

    /// Ends what is under way, for the end of the daemon.
    func stop() { for download in all.values { download.stop() } }

    private func forget(_ download: Download) {
        all[download.id] = nil
        download.retire()
        let id = download.id
        service.catalogue.change({ (file) throws(StoreError) in try file.downloads.remove(id) }) {
            [mailbox = service.mailbox] _ in mailbox.post { $0.noteChange() }
        }
    }

    private func keep(_ download: Download) {
        let row = download.row
        service.catalogue.change({ (file) throws(StoreError) in try file.downloads.put(row) }) {
            [mailbox = service.mailbox] outcome in
            if case .failure(let error) = outcome {
                Log.warning("store", "a download cannot be kept: \(error)")
            }
            mailbox.post { $0.noteChange() }
        }
    }

    // MARK: What is heard goes first

    /// Notes whether what is heard waits for the network, and whether the cache's disk takes anything.
    func note(isStarving: Bool, cacheError: String?) {
        if isStarving { hold() }
        let wasFull = isFull
        isFull = cacheError != nil
        guard isFull != wasFull else { return }
        if let cacheError { giveBack(because: cacheError) } else { startWaiting() }
    }

    private func hold() {
        guard !isHeld else { return }
        isHeld = true
        for download in all.values where download.row.state == .running { download.stop() }
        service.loop.schedule(after: Self.calm) { [weak self] in
            guard let self else { return }
            isHeld = false
            for download in all.values where download.row.state == .running {
                download.change { $0.state = .queued }
            }
            startWaiting()
        }
    }

    private func giveBack(because error: String) {
        for download in all.values where download.row.state == .running {
            download.stop()
            download.change {
                $0.state = .queued
                $0.failure = .init(code: "disk", message: error)
            }
            keep(download)
        }
        lookForRoom()
    }

    /// Others may make room on the disk: it is looked at until it takes something again.
    private func lookForRoom() {
        service.loop.schedule(after: .seconds(60)) { [weak self] in
            guard let self, isFull else { return }
            loader.cache?.lookForRoom()
            lookForRoom()
        }
    }

    // MARK: Fetching

    private func startWaiting() {
        guard !isHeld, !isFull else { return }
        var running = all.values.count { $0.row.state == .running }
        let waiting = all.values.filter { $0.row.state == .queued }.sorted {
            ($0.row.added, $0.id) < ($1.row.added, $1.id)
        }
        for download in waiting {
            guard running < Self.most else { return }
            running += 1
            start(download)
        }
    }

    private func start(_ download: Download) {
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

    private func take(_ event: SourceEvent, of id: Int64, _ attempt: Int) {
        guard let download = all[id], download.attempt == attempt, download.row.state == .running else {
            return
        }
        switch event {
        case .information(let information):
            download.contentType = information.contentType
            download.note(received: download.row.received, expected: information.length)
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
    private func reason(of download: Download) -> PlaybackFailure {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1, alignment: 1)
        defer { unsafe buffer.deallocate() }
        if let bytes = download.bytes,
            case .failed(let failure) = unsafe bytes.read(at: bytes.bytesAvailable(from: 0), into: buffer)
        {
            return failure
        }
        return PlaybackFailure(.incomplete, "\(shown(download)) did not come to its end.")
    }

    private func shown(_ download: Download) -> String { URLMask.shown(download.row.url) }

    private func pin(_ download: Download) {
        guard !download.isPinned, download.row.received > 0 else { return }
        download.isPinned = true
        loader.cache?.pin(url: download.row.url, true)
    }

    private func restart(_ download: Download) {
        download.stop()
        download.change { $0.state = .queued }
        startWaiting()
    }

    /// All of it is here: is it what was wanted?
    private func check(_ download: Download) {
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

    private func checked(_ id: Int64, _ attempt: Int, _ failure: PlaybackFailure?) {
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
    private func settle(_ download: Download, attempts: Int) {
        let (id, attempt, url) = (download.id, download.attempt, download.row.url)
        loader.cache?.pin(url: url, true)
        loader.cache?.findWhole(of: [url]) { [mailbox = service.mailbox] found in
            mailbox.post { $0.downloads.settled(id, attempt, isHere: !found.isEmpty, attempts: attempts - 1) }
        }
    }

    private func settled(_ id: Int64, _ attempt: Int, isHere: Bool, attempts: Int) {
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

    private func finish(_ download: Download) {
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

    private func fail(_ download: Download, _ failure: PlaybackFailure) {
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
    private func retryLater(_ download: Download) {
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
