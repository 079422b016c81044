import Base
import Terminal

/// What `search`, `episodes` and `stations` have in common: a filter, an order, a page, a table.
enum StoreListing {
    /// The orders that `store.list` knows.
    static let orders = [
        "title", "date", "album", "creator", "duration", "added", "heard", "rating", "played",
    ]

    /// Their options. Made at each start of the program: joining texts would be a third of what that costs.
    static let options = [
        CommandOption(name: "--source", value: "ID", help: "only of that source (jukectl sources)"),
        CommandOption(name: "--unheard", help: "only what was not heard to its end"),
        CommandOption(name: "--available", help: "only what is here and plays without a network"),
        CommandOption(
            name: "--sort", value: "KEY",
            help: "title, date, album, creator, duration, added, heard, rating, played; with - the other way"),
        CommandOption(name: "--offset", value: "N", help: "leave out the first N"),
        CommandOption(name: "--limit", value: "N", help: "show at most N (100)"),
    ]

    /// Asks for a page and prints it.
    static func run(_ invocation: Invocation, kind: String?, order: String?) throws(ClientFailure) {
        let parameters = try parameters(invocation, kind: kind, order: order)
        let result = try invocation.connect().call("store.list", .object(JSONMembers(parameters)))
        if invocation.wantsJSON { return invocation.output.json(result) }
        let output = invocation.output
        let items = StoreItem.list(result)
        StoreTables.items(items).print(on: output)
        tellRest(output, first: Int(try invocation.count("--offset") ?? 0), items.count, result["total"])
    }

    /// What `store.list` is asked for. Throws wrong usage.
    static func parameters(_ invocation: Invocation, kind: String?, order: String?) throws(ClientFailure)
        -> [String: JSONValue]
    {
        var parameters: [String: JSONValue] = [:]
        let query = invocation.words.joined(separator: " ")
        if !query.isEmpty { parameters["query"] = .string(query) }
        if let kind = invocation.options["--kind"] ?? kind { parameters["kind"] = .string(kind) }
        if let source = invocation.options["--source"] { parameters["source"] = try StoreID.source(source) }
        if invocation.has("--unheard") { parameters["unheard"] = .bool(true) }
        if invocation.has("--available") { parameters["available"] = .bool(true) }
        if let order = invocation.options["--sort"] ?? order {
            guard orders.contains(order.hasPrefix("-") ? String(order.dropFirst()) : order) else {
                throw .usage(
                    "--sort takes \(orders.joined(separator: ", ")), perhaps after -, not \"\(order)\"")
            }
            parameters["sort"] = .string(order)
        }
        for name in ["offset", "limit"] {
            if let count = try invocation.count("--\(name)") { parameters[name] = .integer(count) }
        }
        return parameters
    }

    private static func tellRest(_ output: Output, first: Int, _ shown: Int, _ total: JSONValue?) {
        guard output.isTerminal else { return }
        let total = total?.whole ?? 0
        let end = first &+ shown
        if total == 0 {
            output.line("Nothing found; sources are added with: jukectl sources add URL")
        } else if end < total {
            let next = output.styled("the next: --offset \(end)", .faint)
            output.line("\(first &+ 1) to \(end) of \(total); \(next)")
        }
    }
}
