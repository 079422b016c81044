import Base
import Terminal

/// What could be typed next, for the shells' completions (`contrib/completions`), which all ask here.
struct Completion {
    /// The first argument of a call by a shell; then come the words so far, the last one unfinished.
    static let word = "__complete"

    /// Printed alone: the shell completes a file's name.
    private static let files = ":files"

    private let words: [String]
    private let unfinished: String

    init(_ words: [String]) {
        self.words = words.dropLast()
        unfinished = words.last ?? ""
    }

    /// Prints the candidates that fit, each with a tab and what it is; nothing when no daemon answers.
    func print() {
        let output = Output(wantsJSON: false)
        for candidate in candidates { output.line(candidate) }
    }

    /// The candidates that fit what is typed.
    var candidates: [String] {
        let command = self.command
        if let option = words.last.flatMap({ option(named: $0, of: command) }), option.value != nil {
            return option.name == "--socket" ? [Completion.files] : []
        }
        var all: [String]
        if unfinished.hasPrefix("-"), !words.contains("--") {
            let options = (command?.options ?? []) + CommandOption.everywhere
            all = options.map { "\($0.name)\t\($0.help)" }
        } else if let command {
            all = candidates(of: command)
        } else {
            all = CommandTable.all.map { "\($0.name)\t\($0.summary)" }
        }
        return all.filter { $0 == Completion.files || $0.hasPrefix(unfinished) }
    }

    private var command: Command? {
        var rest = words[...]
        while let word = rest.popFirst() {
            if let option = option(named: word, of: nil) {
                if option.value != nil { rest = rest.dropFirst() }
            } else if !word.hasPrefix("-") {
                return CommandTable.all.first { $0.name == word }
            }
        }
        return nil
    }

    private func option(named name: String, of command: Command?) -> CommandOption? {
        command?.option(named: name) ?? CommandOption.everywhere.first { $0.name == name }
    }

    private func candidates(of command: Command) -> [String] {
        switch command.completes {
        case .none: []
        case .path: [Completion.files]
        case .oneOf(let words): words
        case .command: CommandTable.all.map { "\($0.name)\t\($0.summary)" }
        case .entry: ask { (daemon) throws(ClientFailure) in try Completion.entries(daemon) }
        case .key: ask { (daemon) throws(ClientFailure) in try Completion.keys(daemon) }
        case .assignment:
            ask { (daemon) throws(ClientFailure) in try Completion.keys(daemon).map { $0 + "=" } }
        case .storeItem: ask { (daemon) throws(ClientFailure) in try Completion.storeItems(daemon) }
        case .download: downloadWords
        case .output: outputWords
        case .saved: ask { (daemon) throws(ClientFailure) in try Completion.saved(daemon) }
        case .method: ask { (daemon) throws(ClientFailure) in try Completion.methods(daemon) }
        }
    }

    /// Asks the daemon that the line so far names; a shell that completes must not be told of failures.
    private func ask(_ question: (Daemon) throws(ClientFailure) -> [String]) -> [String] {
        var socket: String?
        if let place = words.firstIndex(of: "--socket"), place + 1 < words.count { socket = words[place + 1] }
        do throws(ClientFailure) {
            return try question(Daemon(socket: socket))
        } catch {
            return []
        }
    }

    private static func entries(_ daemon: Daemon) throws(ClientFailure) -> [String] {
        try QueueList.fetch(daemon).elements(of: "entries").map { entry in
            let title = ItemText.title(
                artist: entry["artist"], title: entry["title"], channel: nil, url: entry["url"])
            return "\(ValueText.write(entry["id"] ?? .null))\t\(title ?? "")"
        }
    }

    private static func keys(_ daemon: Daemon) throws(ClientFailure) -> [String] {
        let result = try daemon.call("get", .object(["keys": .array([.string("*")])]))
        guard case .object(let values)? = result["values"] else { return [] }
        return values.keys
    }

    /// What comes after `downloads`: what to do, then with which.
    private var downloadWords: [String] {
        guard !words.allSatisfy({ !["cancel", "delete", "export"].contains($0) }) else {
            return ["list", "cancel", "delete", "export"]
        }
        return ask { (daemon) throws(ClientFailure) in
            let values = try daemon.call("get", .object(["keys": .array([.string("downloads")])]))["values"]
            guard case .object(let members)? = values else { return [] }
            return DownloadProgress.all(in: members.dictionary).map { "\($0.id)\t\($0.state.rawValue)" }
        }
    }

    /// What comes after `outputs`: what to do, then with which.
    private var outputWords: [String] {
        guard words.contains("on") || words.contains("off") else { return ["list", "on", "off", "devices"] }
        return ask { (daemon) throws(ClientFailure) in
            OutputTables.names(
                in: try daemon.call("get", .object(["keys": .array([.string("outputs")])]))["values"])
        }
    }

    /// The newest: nobody completes through thousands.
    private static func storeItems(_ daemon: Daemon) throws(ClientFailure) -> [String] {
        let parameters: JSONValue = .object(["sort": .string("-added"), "limit": .integer(200)])
        return StoreItem.list(try daemon.call("store.list", parameters)).map { "\($0.id)\t\($0.title)" }
    }

    private static func saved(_ daemon: Daemon) throws(ClientFailure) -> [String] {
        try daemon.call("queue.saved").elements(of: "names").compactMap { ItemText.text($0) }
    }

    private static func methods(_ daemon: Daemon) throws(ClientFailure) -> [String] {
        try daemon.call("rpc.discover").elements(of: "methods").compactMap { method in
            guard let name = ItemText.text(method["name"]) else { return nil }
            return "\(name)\t\(ItemText.text(method["summary"]) ?? "")"
        }
    }
}
