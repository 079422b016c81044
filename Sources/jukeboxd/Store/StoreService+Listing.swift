import Base
import Control
import Store

/// The methods that only read: on the catalogue's search thread, whatever is written meanwhile.
extension StoreService {
    private static let mostItems: Int64 = 5_000

    /// `store.list`.
    func list(_ call: CommandCall) throws(CommandFailure) -> CommandOutcome {
        let query = try Self.query(call.parameters)
        return read(call) { (reader) throws(StoreError) in
            var items = JSONText()
            let total = try reader.list(query) { row, locations in
                items.append(raw: items.isEmpty ? "[" : ",")
                ItemText(row: row, locations: locations).write(to: &items)
            }
            items.append(raw: items.isEmpty ? "[]" : "]")
            return .object { text in
                text.member("total", total)
                text.member("items", items)
            }
        }
    }

    /// `store.show`; places that are not known are asked for.
    func show(_ call: CommandCall) throws(CommandFailure) -> CommandOutcome {
        let id = try call.parameters.integer("id")
        let isAsked = geocoder != nil
        return read(call, or: Self.missing(id)) { [mailbox] (reader) throws(StoreError) in
            var text = JSONText()
            let isThere = try reader.show(id) { row, contents, locations in
                ItemText(row: row, locations: locations, isAsked: isAsked, contents: contents).write(
                    to: &text)
                if isAsked, !locations.isEmpty { mailbox.post { $0.want(locations) } }
            }
            return isThere ? text : nil
        }
    }

    /// `store.sources`.
    func listSources(_ call: CommandCall) -> CommandOutcome {
        let rows = sources.values.sorted { $0.id < $1.id }.map { SourceText($0) }
        return read(call) { (reader) throws(StoreError) in
            let (counts, pictures) = (try reader.counts(), try reader.newestPictures())
            return .object { text in
                text.member("sources", rows.map { $0.with(counts[$0.id], picture: pictures[$0.id]) })
            }
        }
    }

    private func read(
        _ call: CommandCall, or missing: CommandFailure? = nil,
        _ body: @escaping @Sendable (CatalogueReader) throws(StoreError) -> JSONText?
    ) -> CommandOutcome {
        let slot = call.makeReplySlot()
        catalogue.read { outcome in
            do throws(StoreError) {
                if let text = try body(try outcome.get()) {
                    slot.fill(.success(text))
                } else if let missing {
                    slot.fill(.failure(missing))
                }
            } catch {
                slot.fill(.failure(Self.failure(error)))
            }
        }
        return .later(slot)
    }

    // MARK: Reading a query

    private static func query(_ parameters: Parameters) throws(CommandFailure) -> ItemQuery {
        var query = ItemQuery()
        query.text = try parameters.optionalString("query").map { SearchText($0) }
        if let name = try parameters.optionalString("kind") {
            guard let kind = PublishedItem.Kind(rawValue: name) else {
                throw Parameters.wrong(
                    "kind", .string(name), oneOf(PublishedItem.Kind.allCases.map(\.rawValue)))
            }
            query.kind = kind
        }
        query.source = try parameters.optionalInteger("source")
        query.isAvailable = try truth(parameters, "available")
        query.isUnheard = try truth(parameters, "unheard")
        if let name = try parameters.optionalString("sort") {
            let isDescending = name.hasPrefix("-")
            guard let order = ItemQuery.Order(rawValue: String(name.dropFirst(isDescending ? 1 : 0))) else {
                let names = ItemQuery.Order.allCases.map(\.rawValue)
                throw Parameters.wrong(
                    "sort", .string(name), oneOf(names) + ", with - before it for the other way")
            }
            query.order = order
            query.isDescending = isDescending
        }
        query.offset = try notNegative(parameters, "offset", default: 0)
        query.limit = min(mostItems, try notNegative(parameters, "limit", default: 100))
        return query
    }

    private static func truth(_ parameters: Parameters, _ name: String) throws(CommandFailure) -> Bool? {
        parameters[name] == nil ? nil : try parameters.boolean(name, default: false)
    }

    private static func notNegative(
        _ parameters: Parameters, _ name: String, default byDefault: Int64
    ) throws(CommandFailure) -> Int64 {
        let number = try parameters.optionalInteger(name) ?? byDefault
        guard number >= 0 else { throw CommandFailure(.invalidParams, "\(name) is \(number), below 0.") }
        return min(number, 1 << 40)
    }

    private static func oneOf(_ names: [String]) -> String { "one of " + names.joined(separator: ", ") }
}
