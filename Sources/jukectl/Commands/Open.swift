import Base
import Terminal

extension Command {
    static let open = Command(
        name: "open", synopsis: "[--no-wait] URL…",
        summary: "play this instead of what is in the queue",
        details: """
            A URL (http, https, file) or a path. More than one: the others follow in the queue.
            Waits until it plays or has failed, so that a mistake shows.
            """,
        options: [
            CommandOption(name: "--no-wait", help: "return as soon as the daemon has accepted it"),
            CommandOption(
                name: "--title", value: "TEXT", help: "what it is called until it tells its own title"),
            .timeout,
        ],
        words: 1...1000, completes: .path
    ) { (invocation) throws(ClientFailure) in
        let deadline = try invocation.deadline()
        let daemon = try invocation.connect()
        if !invocation.has("--no-wait") { try daemon.observe(PlaybackWatch.keys) }
        var item: [String: JSONValue] = ["url": .string(Address.resolve(invocation.words[0]))]
        if let title = invocation.options["--title"] { item["title"] = .string(title) }
        let result = try daemon.call("open", .object(JSONMembers(item)))
        if invocation.words.count > 1 {
            let others = invocation.words.dropFirst().map { JSONValue.string(Address.resolve($0)) }
            _ = try daemon.call("queue.add", .object(["items": .array(others)]))
        }
        if !invocation.has("--no-wait") {
            try PlaybackWatch.waitUntilHeard(daemon, entries: result["ids"], until: deadline)
        }
        if invocation.wantsJSON {
            invocation.output.json(result)
        } else if let title = ItemText.current(daemon.values) {
            invocation.output.line("Playing \(invocation.output.styled(title, .bold))")
        }
    }
}

extension CommandOption {
    /// For commands that wait.
    static let timeout = CommandOption(
        name: "--timeout", value: "SECONDS", help: "end with status 4 when it takes longer")
}
