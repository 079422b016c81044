import Base
import Loader
import Player
import Store

/// Items that are to be here whole: they go into the loader's cache, where what was heard of them is already, and are
/// kept from being evicted. Control thread.
final class Downloads {

    unowned let service: StoreService
    let loader: Loader
    let checks = JobQueue(name: "jb-downloads")
    private(set) var all: [Int64: Download] = [:]
    /// True while what is heard needs the network for itself.
    var isHeld = false
    /// True while the cache takes nothing.
    var isFull = false
    /// What was refused in this run: the catalogue may not know it yet when rules are looked at.
    private var refused: Set<Int64> = []

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
    func lookAtFinished() {
        let finished = all.values.filter { $0.row.state == .finished }.map(\.row.url)
        guard !finished.isEmpty else { return }
        loader.cache?.findWhole(of: finished) { [mailbox = service.mailbox] found in
            mailbox.post { $0.downloads.take(here: found) }
        }
    }

    func take(here found: Set<String>) {
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
        accept(item.id)
        guard let known = all[item.id] else {
            begin(item, CatalogueDownload(item: item.id, url: item.url, added: service.loop.unixTime))
            return startWaiting()
        }
        guard known.row.state == .failed || known.row.isByRule else { return }
        known.change {
            // From now on somebody wants it.
            $0.isByRule = false
            guard $0.state == .failed else { return }
            $0.state = .queued
            $0.attempts = 0
            $0.failure = nil
        }
        keep(known)
        startWaiting()
    }

    /// Takes what a rule asks for, the newest first.
    func add(byRule items: [CatalogueItem]) {
        for (index, item) in items.enumerated() where all[item.id] == nil && !refused.contains(item.id) {
            // Their order is kept by the time at which they were asked for.
            var row = CatalogueDownload(
                item: item.id, url: item.url, added: service.loop.unixTime + Double(index) / 1_000)
            row.isByRule = true
            begin(item, row)
        }
        startWaiting()
    }

    private func begin(_ item: CatalogueItem, _ row: CatalogueDownload) {
        let download = Download(
            row, of: item, from: service.sources[item.source]?.row, table: service.table,
            loop: service.loop)
        all[item.id] = download
        keep(download)
    }

    /// Somebody does not want an item here: no rule fetches it again.
    func refuse(_ id: Int64) { setRefused(id, true) }

    private func accept(_ id: Int64) { setRefused(id, false) }

    private func setRefused(_ id: Int64, _ isRefused: Bool) {
        if isRefused { refused.insert(id) } else { refused.remove(id) }
        service.catalogue.change({ (file) throws(StoreError) in try file.downloads.refuse(id, isRefused) }) {
            outcome in
            guard case .failure(let error) = outcome else { return }
            Log.warning("store", "it cannot be kept that a download is not wanted: \(error)")
        }
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

    func forget(_ download: Download) {
        all[download.id] = nil
        download.retire()
        let id = download.id
        service.catalogue.change({ (file) throws(StoreError) in try file.downloads.remove(id) }) {
            [mailbox = service.mailbox] _ in mailbox.post { $0.noteChange() }
        }
    }

    func keep(_ download: Download) {
        let row = download.row
        service.catalogue.change({ (file) throws(StoreError) in try file.downloads.put(row) }) {
            [mailbox = service.mailbox] outcome in
            if case .failure(let error) = outcome {
                Log.warning("store", "a download cannot be kept: \(error)")
            }
            mailbox.post { $0.noteChange() }
        }
    }
}
