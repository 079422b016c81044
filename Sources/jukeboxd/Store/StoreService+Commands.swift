import Base
import Control
import Player
import Store

extension StoreService {
    /// Adds `store.*`.
    func add(to commands: CommandTable) {
        connect(commands)
        add("store.addSource", positional: "url", to: commands) {
            [unowned self] (call) throws(CommandFailure) in
            try addSource(call)
        }
        add("store.removeSource", positional: "id", to: commands) {
            [unowned self] (call) throws(CommandFailure) in
            try removeSource(call)
        }
        add("store.refresh", to: commands) { [unowned self] (call) throws(CommandFailure) in try refresh(call)
        }
        add("store.sources", to: commands) { [unowned self] call in listSources(call) }
        commands.add("store.list") { [unowned self] (call) throws(CommandFailure) in try list(call) }
        commands.add("store.show", positional: "id") { [unowned self] (call) throws(CommandFailure) in
            try show(call)
        }
        commands.add("store.mark", positional: "id") { [unowned self] (call) throws(CommandFailure) in
            try mark(call)
        }
        addDownloads(to: commands)
        addRules(to: commands)
        addExport(to: commands)
        addPictures(to: commands)
    }

    // MARK: Sources

    private func addSource(_ call: CommandCall) throws(CommandFailure) -> CommandOutcome {
        // A user and password in the URL become a header here, as in the queue.
        let entry = NewEntry(
            url: try call.parameters.string("url"),
            headers: try CommandTable.headers(call.parameters["headers"], "headers"))
        try entry.check()
        var source = CatalogueSource(url: Self.normalized(entry.url))
        source.headers = entry.headers.namesAndValues
        source.givenTitle = try call.parameters.optionalString("title")
        let slot = call.makeReplySlot()
        if let known = sources.values.first(where: { $0.row.url == source.url }) {
            slot.fill(.success(Self.text(known.id, isNew: false)))
            return .later(slot)
        }
        let new = source
        catalogue.change({ (file) throws(StoreError) in try file.sources.add(new) }) { [mailbox] outcome in
            mailbox.post { $0.take(new, outcome, slot) }
        }
        return .later(slot)
    }

    /// A path or file URL as one path without a slash at its end.
    private static func normalized(_ url: String) -> String {
        guard let bytes = LocalPath.bytes(url) else { return url }
        var path = bytes
        while path.count > 1, path.last == UInt8(ascii: "/") { path.removeLast() }
        return LocalPath.text(path)
    }

    private func take(_ new: CatalogueSource, _ outcome: Result<Int64, StoreError>, _ slot: ReplySlot) {
        switch outcome {
        case .failure(let error): slot.fill(.failure(Self.failure(error)))
        case .success(let id):
            take(new, as: id)
            slot.fill(.success(Self.text(id, isNew: true)))
        }
    }

    /// Begins with a source that was added.
    func take(_ new: CatalogueSource, as id: Int64) {
        var row = new
        row.id = id
        let source = SourceState(row, table: table)
        sources[id] = source
        refresh(source)
        noteChange()
    }

    private static func text(_ id: Int64, isNew: Bool) -> JSONText {
        .object { text in
            text.member("id", id)
            text.member("new", isNew)
        }
    }

    private func removeSource(_ call: CommandCall) throws(CommandFailure) -> CommandOutcome {
        let source = try source(try call.parameters.integer("id"))
        let ids = [source.id] + sources.values.filter { $0.row.parent == source.id }.map(\.id)
        for id in ids {
            downloads.delete(ofSource: id)
            sources.removeValue(forKey: id)?.retire()
            watch?.forget(id)
        }
        update()
        let slot = call.makeReplySlot()
        // Children first: they name their parent.
        catalogue.remove(ids.reversed()) { [mailbox] outcome in
            mailbox.post { service in
                service.noteChange()
                slot.fill(outcome.map { JSONText(raw: "{}") }.mapError(Self.failure))
            }
        }
        return .later(slot)
    }

    private func refresh(_ call: CommandCall) throws(CommandFailure) -> CommandOutcome {
        if let id = try call.parameters.optionalInteger("source") {
            refresh(try source(id))
        } else {
            for source in sources.values.sorted(by: { $0.id < $1.id }) { refresh(source) }
        }
        return call.revisionResult()
    }

    /// A source. Throws that there is none of that id.
    func source(_ id: Int64) throws(CommandFailure) -> SourceState {
        guard let source = sources[id] else { throw CommandFailure(.notFound, "There is no source \(id).") }
        return source
    }

    // MARK: Items

    private func mark(_ call: CommandCall) throws(CommandFailure) -> CommandOutcome {
        let parameters = call.parameters
        let id = try parameters.integer("id")
        let isHeard: Bool? =
            try parameters["heard"] == nil ? nil : parameters.boolean("heard", default: false)
        let position = try parameters.optionalNumber("position")
        if let position, !(0...1e9).contains(position) {
            throw CommandFailure(.invalidParams, "position is \(position); it must be seconds from 0 on.")
        }
        let rating = try parameters.optionalInteger("rating")
        if let rating, !(0...5).contains(rating) {
            throw CommandFailure(
                .invalidParams, "rating is \(rating); it must be from 1 to 5, or 0 for none.")
        }
        let slot = call.makeReplySlot()
        catalogue.change({ (file) throws(StoreError) in
            try file.users.change(id) { marks in
                if let isHeard { marks.isHeard = isHeard }
                if let position { marks.position = position }
                if let rating { marks.rating = rating == 0 ? nil : rating }
            }
        }) { [mailbox] outcome in
            mailbox.post { service in
                service.noteChange()
                if let position { service.listening?.set(id, position) }
                if isHeard != nil { service.keeper.noteHeard() }
                slot.fill(Self.answer(outcome, id: id))
            }
        }
        return .later(slot)
    }

    private static func answer(_ outcome: Result<Bool, StoreError>, id: Int64) -> Result<
        JSONText, CommandFailure
    > {
        switch outcome {
        case .success(true): .success(JSONText(raw: "{\"id\":\(id)}"))
        case .success(false): .failure(missing(id))
        case .failure(let error): .failure(failure(error))
        }
    }

    /// There is no item of that id.
    static func missing(_ id: Int64) -> CommandFailure {
        CommandFailure(.notFound, "There is no item \(id) in the store.")
    }

    /// What the catalogue says, as a reply.
    @Sendable static func failure(_ error: StoreError) -> CommandFailure {
        CommandFailure(.invalidState, "The catalogue cannot be used: \(error).")
    }
}
