import Base
import Player
import Store

/// When sources are refreshed, and what becomes of it.
extension StoreService {
    /// What lies here is looked at after each start; the rest has its schedule, once it was read.
    func refreshAtStart(_ id: Int64) {
        guard let source = sources[id], source.isLocal || source.row.lastSuccess == nil else { return }
        refresh(source)
    }

    /// Begins to refresh a source, or does it again once it is through.
    func refresh(_ source: SourceState, parts: Set<[UInt8]> = []) {
        guard !source.isLoading else {
            source.isDueAgain = source.isDueAgain || parts.isEmpty
            source.dueParts.formUnion(parts)
            return
        }
        source.progress = nil
        source.isLoading = true
        source.row.lastAttempt = loop.unixTime
        update()
        if let path = LocalPath.bytes(source.row.url), source.row.kind ?? .folder == .folder {
            scan(source, path, parts)
        } else {
            watchFile(of: source)
            waiting.append(source.id)
            loadWaiting()
        }
    }

    /// A refresh is over; `failure` says why it came to nothing, `retryAt` when its server wants to be asked again.
    func finish(_ source: SourceState, _ failure: CatalogueSource.Failure?, retryAt: Double? = nil) {
        let now = loop.unixTime
        // Each change of it is told.
        var row = source.row
        row.failure = failure
        if failure == nil {
            row.lastSuccess = now
            row.failures = 0
            row.nextRefresh =
                source.isLocal && source.isWatched ? nil : schedule.afterSuccess(row.id, now: now)
        } else {
            row.failures += 1
            row.nextRefresh = schedule.afterFailure(
                row.id, failures: row.failures, retryAt: retryAt, now: now)
        }
        source.row = row
        keep(source)
        source.cancel = {}
        source.isLoading = false
        noteNetwork()
        armRefresh()
        update()
        noteChange()
        guard failure == nil else { return refreshAgain(source) }
        keeper.note(source.id)
        covers.note(source)
        refreshAgain(source)
    }

    /// Begins anew with what was asked for meanwhile.
    private func refreshAgain(_ source: SourceState) {
        let (isDueAgain, parts) = (source.isDueAgain, source.dueParts)
        source.isDueAgain = false
        source.dueParts = []
        if isDueAgain { refresh(source) } else if !parts.isEmpty { refresh(source, parts: parts) }
    }

    /// Writes what is known of a source.
    func keep(_ source: SourceState) {
        let row = source.row
        catalogue.change({ (file) throws(StoreError) in try file.sources.update(row) }) { outcome in
            guard case .failure(let error) = outcome else { return }
            Log.warning("store", "a source cannot be kept: \(error)")
        }
    }

    /// A refresh goes on: so many items were seen; `fraction` is 0 to 1, nil while nobody knows.
    func noteProgress(_ id: Int64, items: Int, fraction: Double?) {
        guard let source = sources[id], source.isLoading else { return }
        source.progress = .init(items: items, fraction: fraction)
    }

    // MARK: The schedule

    /// Wakes when the next source is due.
    func armRefresh() {
        if let refreshTimer { loop.cancel(refreshTimer) }
        refreshTimer = nil
        let due = sources.values.lazy.filter { !$0.isLoading }.compactMap(\.row.nextRefresh).min()
        guard let due else { return }
        let wait = max(0, min(due - loop.unixTime, 86_400))
        refreshTimer = loop.schedule(after: .seconds(clamping: wait)) { [weak self] in self?.refreshDue() }
    }

    private func refreshDue() {
        refreshTimer = nil
        let now = loop.unixTime
        for source in sources.values.sorted(by: { $0.id < $1.id }) where !source.isLoading {
            if let due = source.row.nextRefresh, due <= now + 1 { refresh(source) }
        }
        armRefresh()
    }

    // MARK: The network

    private static let networkCodes: Set<String> = ["unreachable", "no_such_host", "timeout", "offline"]

    /// The network is away when no source on it could be reached by the latest attempt.
    func noteNetwork() {
        let remote = sources.values.filter {
            !$0.isLocal && ($0.row.lastSuccess != nil || $0.row.failure != nil)
        }
        offline.value =
            !remote.isEmpty
            && remote.allSatisfy { $0.row.failure.map { Self.networkCodes.contains($0.code) } ?? false }
    }
}
