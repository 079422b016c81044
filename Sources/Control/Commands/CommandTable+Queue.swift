package import Base
package import Player

extension CommandTable {
    /// Adds `open` and `queue.*`.
    package func addQueue(_ player: Player) {
        addAdding(player)
        add("queue.remove", positional: "ids") { (call) throws(CommandFailure) in
            let parameters = call.parameters
            try player.remove(
                try parameters.integers("ids"), ifRevision: try parameters.optionalInteger("ifRevision"))
            return call.revisionResult()
        }
        add("queue.move") { (call) throws(CommandFailure) in
            let parameters = call.parameters
            try player.move(
                try parameters.integers("ids"), to: Int(clamping: try parameters.integer("to")),
                ifRevision: try parameters.optionalInteger("ifRevision"))
            return call.revisionResult()
        }
        add("queue.clear") { (call) throws(CommandFailure) in
            try player.clear(ifRevision: try call.parameters.optionalInteger("ifRevision"))
            return call.revisionResult()
        }
        add("queue.shuffle") { (call) throws(CommandFailure) in
            try player.shuffleQueue(ifRevision: try call.parameters.optionalInteger("ifRevision"))
            return call.revisionResult()
        }
        add("queue.list") { (call) throws(CommandFailure) in
            let offset = try call.parameters.optionalInteger("offset") ?? 0
            let limit = try call.parameters.optionalInteger("limit") ?? 500
            let page = try player.list(offset: Int(clamping: offset), limit: Int(clamping: limit))
            return .result(JSONText(page))
        }
    }

    private func addAdding(_ player: Player) {
        add("open", positional: "url", takesItems: true) { (call) throws(CommandFailure) in
            let parameters = call.parameters
            let entry = try parameters.entry(
                url: try parameters.string("url"), title: try parameters.optionalString("title"),
                headers: try CommandTable.headers(parameters["headers"], "headers"))
            let ids = try player.open(entry, play: try parameters.boolean("play", default: true))
            return CommandTable.idsResult(ids, call)
        }
        add("queue.add", positional: "items", takesItems: true) { (call) throws(CommandFailure) in
            let parameters = call.parameters
            let ids = try player.add(
                try CommandTable.items(parameters),
                at: try parameters.optionalInteger("at").map { Int(clamping: $0) },
                play: try parameters.boolean("play", default: false),
                ifRevision: try parameters.optionalInteger("ifRevision"))
            return CommandTable.idsResult(ids, call)
        }
        add("queue.insertNext", positional: "items", takesItems: true) { (call) throws(CommandFailure) in
            let revision = try call.parameters.optionalInteger("ifRevision")
            let ids = try player.insertNext(try CommandTable.items(call.parameters), ifRevision: revision)
            return CommandTable.idsResult(ids, call)
        }
        add("queue.replaceCurrent", positional: "item", takesItems: true) { (call) throws(CommandFailure) in
            let parameters = call.parameters
            let value = try parameters.require("item", itemKinds, parameters["item"])
            let ids = try player.replaceCurrent(try CommandTable.item(value, "item", parameters))
            return CommandTable.idsResult(ids, call)
        }
    }

    // MARK: Reading items

    private static func idsResult(_ ids: [Int64], _ call: CommandCall) -> CommandOutcome {
        let text = JSONText.object { text in
            text.member("revision", call.revision())
            text.member("ids", ids)
        }
        return .result(text)
    }

    private static func items(_ parameters: Parameters) throws(CommandFailure) -> [NewEntry] {
        var entries: [NewEntry] = []
        let values = try parameters.array("items", "an array, each member \(itemKinds)")
        for (index, value) in values.enumerated() {
            entries.append(try item(value, "items[\(index)]", parameters))
        }
        return entries
    }

    /// Reads an item: a URL, or an object with url, title and headers.
    package static func item(
        _ value: JSONValue, _ name: String, _ parameters: Parameters
    ) throws(CommandFailure) -> NewEntry {
        switch value {
        case .string(let url): return try parameters.entry(url: url, title: nil, headers: [])
        case .object:
            guard case .string(let url)? = value["url"] else {
                throw CommandFailure(.invalidParams, "\(name).url must be a string.")
            }
            var title: String?
            switch value["title"] {
            case nil, .null?: break
            case .string(let text)?: title = text
            case let other?: throw Parameters.wrong("\(name).title", other, "a string")
            }
            return try parameters.entry(
                url: url, title: title, headers: try headers(value["headers"], "\(name).headers"))
        default: throw Parameters.wrong(name, value, itemKinds)
        }
    }

    /// Messages name headers but never show what they hold.
    package static func headers(_ value: JSONValue?, _ name: String) throws(CommandFailure) -> [HeaderField] {
        guard let value, value != .null else { return [] }
        guard case .object(let members) = value else {
            throw CommandFailure(
                .invalidParams,
                "\(name) is \(value.kindName); it must be an object of names and string values.")
        }
        var fields: [HeaderField] = []
        for (key, value) in members {
            guard case .string(let text) = value else {
                throw CommandFailure(.invalidParams, "A value in \(name) is no string.")
            }
            fields.append(HeaderField(key, text))
        }
        return fields
    }
}

private let itemKinds = "a URL or an object with url, title and headers"
