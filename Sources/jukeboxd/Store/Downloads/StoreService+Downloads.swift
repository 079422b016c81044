import Base
import Control
import Store
import Wire

extension StoreService {
    /// Adds `store.download` and its like.
    func addDownloads(to commands: CommandTable) {
        add("store.download", positional: "ids", to: commands) {
            [unowned self] (call) throws(CommandFailure) in
            try download(call)
        }
        add("store.cancelDownload", positional: "ids", to: commands) {
            [unowned self] (call) throws(CommandFailure) in
            let ids = try downloads(call) { $0.row.state != .finished }
            for id in ids {
                downloads.refuse(id)
                _ = downloads.cancel(id)
            }
            return answerOnceKept(call.makeReplySlot(), .object { $0.member("revision", call.revision()) })
        }
        add("store.deleteDownload", positional: "ids", to: commands) {
            [unowned self] (call) throws(CommandFailure) in
            for id in try downloads(call, where: { _ in true }) {
                downloads.refuse(id)
                _ = downloads.delete(id)
            }
            return answerOnceKept(call.makeReplySlot(), .object { $0.member("revision", call.revision()) })
        }
    }

    /// Answers when what was done is in the catalogue: no kill after that takes it back.
    private func answerOnceKept(_ slot: ReplySlot, _ text: JSONText) -> CommandOutcome {
        catalogue.write { _ in slot.fill(.success(text)) }
        return .later(slot)
    }

    /// Takes up downloads where they were.
    func takeDownloads(_ rows: [CatalogueDownload]) {
        guard !rows.isEmpty else { return began() }
        catalogue.read { [mailbox] outcome in
            let reader = try? outcome.get()
            let found = rows.compactMap { row in
                (try? reader?.item(row.item)).flatMap { $0 }.map { (row, $0) }
            }
            mailbox.post { service in
                service.downloads.resume(found)
                service.began()
            }
        }
    }

    /// Sees what decides whether downloads may go on.
    func lookAround() {
        availability.follow()
        guard !downloads.all.isEmpty else { return }
        keeper.follow()
        downloads.note(isStarving: isStarving, cacheError: cacheError)
    }

    /// True while what is heard needs the network for itself: it waits for it, or comes so slowly that it soon may
    /// have to. A station comes as slowly as it is heard.
    var isStarving: Bool {
        switch table.text(of: "player.state")?.string {
        case "\"buffering\"": table.text(of: "player.waitingReason")?.string != "\"device\""
        case "\"playing\"":
            table.text(of: "buffer.likelyToKeepUp")?.string == "false"
                && table.text(of: "item.live")?.string == "false"
        default: false
        }
    }

    /// Why the cache takes nothing; nil when it does.
    private var cacheError: String? {
        let told = table.text(of: "cache.error").flatMap { try? JSONParser.parse(Array($0.string.utf8)) }
        guard case .string(let error) = told else { return nil }
        return error
    }

    /// The ids of a call, each of which must have a download like that.
    private func downloads(_ call: CommandCall, where isMeant: (Download) -> Bool) throws(CommandFailure)
        -> [Int64]
    {
        let ids = try call.parameters.integers("ids")
        for id in ids {
            guard let download = downloads.all[id], isMeant(download) else {
                throw CommandFailure(.notFound, "There is no download of item \(id) like that.")
            }
        }
        return ids
    }

    private func download(_ call: CommandCall) throws(CommandFailure) -> CommandOutcome {
        let ids = try call.parameters.integers("ids")
        let slot = call.makeReplySlot()
        catalogue.read { [mailbox] outcome in
            do throws(StoreError) {
                let reader = try outcome.get()
                var items: [CatalogueItem] = []
                for id in ids {
                    guard let item = try reader.item(id) else {
                        slot.fill(.failure(Self.missing(id)))
                        return
                    }
                    items.append(item)
                }
                let found = items
                mailbox.post { $0.download(found, slot) }
            } catch {
                slot.fill(.failure(Self.failure(error)))
            }
        }
        return .later(slot)
    }

    private func download(_ items: [CatalogueItem], _ slot: ReplySlot) {
        if let failure = items.lazy.compactMap(Self.refusal).first {
            slot.fill(.failure(failure))
            return
        }
        for item in items { downloads.add(item) }
        let ids = items.map(\.id)
        _ = answerOnceKept(slot, .object { $0.member("ids", ids) })
    }

    private static func refusal(of item: CatalogueItem) -> CommandFailure? {
        if item.published.kind == .station {
            return CommandFailure(
                .unsupported, "Item \(item.id) is a station: it has no end, so it cannot be downloaded.")
        }
        if LocalPath.bytes(item.url) != nil {
            return CommandFailure(.invalidState, "Item \(item.id) is a file on this machine already.")
        }
        return nil
    }
}
