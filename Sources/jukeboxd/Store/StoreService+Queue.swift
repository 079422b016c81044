import Base
import Control
import Loader
import Player
import Store

/// Items of the store in the queue: `store:ID` in the place of a URL.
extension StoreService {
    /// Lets commands name items of the store.
    func connect(_ commands: CommandTable) {
        commands.findStored = { [unowned self] ids, done in find(ids, done) }
    }

    private func find(_ ids: Set<Int64>, _ done: @escaping (CommandTable.StoredEntries) -> Void) {
        lastQuestion += 1
        let question = lastQuestion
        questions[question] = done
        catalogue.read { [mailbox] outcome in
            var found: [Int64: Result<CatalogueItem, CommandFailure>] = [:]
            for id in ids { found[id] = Self.item(id, outcome) }
            let answer = found
            mailbox.post { $0.answer(question, answer) }
        }
    }

    private static func item(_ id: Int64, _ outcome: Result<CatalogueReader, StoreError>)
        -> Result<CatalogueItem, CommandFailure>
    {
        do throws(StoreError) {
            return try outcome.get().item(id).map { .success($0) } ?? .failure(missing(id))
        } catch {
            return .failure(failure(error))
        }
    }

    private func answer(_ question: Int, _ found: [Int64: Result<CatalogueItem, CommandFailure>]) {
        guard let done = questions.removeValue(forKey: question) else { return }
        var entries: CommandTable.StoredEntries = [:]
        for (id, result) in found {
            if case .success(let item) = result { listening?.learn(item) }
            entries[id] = result.flatMap { item in entry(item) }
        }
        done(entries)
    }

    private func entry(_ item: CatalogueItem) -> Result<NewEntry, CommandFailure> {
        let source = sources[item.source]
        let isLocal = source?.isLocal ?? false
        let urls = item.published.contents.map(\.url).filter { isLocal || LocalPath.bytes($0) == nil }
        guard let url = urls.first, !url.isEmpty else {
            return .failure(CommandFailure(.unsupported, "There is nothing to be heard of item \(item.id)."))
        }
        var entry = NewEntry(url: url, title: item.published.title)
        // Other forms of an episode are no mirrors: a place in one is another place in the other.
        if item.published.kind == .station { entry.mirrors = Array(urls.dropFirst()) }
        entry.artist = item.published.creators.isEmpty ? nil : item.published.creators.joined(separator: ", ")
        entry.album = item.published.album ?? (item.published.kind == .episode ? source?.row.shownTitle : nil)
        entry.duration = item.published.duration
        entry.storeID = item.id
        entry.source = source?.row.shownTitle
        guard let row = source?.row, !isLocal else { return .success(entry) }
        // What the source's origin gets, the same origin gets for the item, and nobody else.
        entry.headers += row.headerFields(for: url).map { HeaderField($0, $1) }
        entry.origin = EntryOrigin(
            playlist: row.url, parent: nil, mayLeadToThisMachine: row.mayLeadToThisMachine)
        return .success(entry)
    }

    /// Learns where the items of a queue go on that was kept.
    func learnQueue() {
        let ids = Set(player.queue.ids.compactMap { player.queue[$0]?.storeID })
        guard !ids.isEmpty else { return }
        catalogue.read { [mailbox] outcome in
            guard let reader = try? outcome.get(), let kept = try? reader.positions(of: ids) else { return }
            mailbox.post { $0.listening?.learn(kept) }
        }
    }
}
