import Base
import Terminal

extension Command {
    static let sources = Command(
        name: "sources", synopsis: "[add URL|remove ID…|refresh [ID]|rules ID [none]]",
        summary: "list where the store has its items from, add or remove sources, read them anew",
        details: """
            URL is a podcast, an OPML list of them, a list of stations, a catalogue, a folder of a WebDAV server, or a
            path of this machine: what it is, it tells itself. add and refresh wait until it was read, or say why not.
            rules says what is downloaded of a source by itself, or sets it by the options, which must all be met;
            none ends it. What it brought it removes again once it does not want it any more.
            """,
        options: [
            CommandOption(name: "--title", value: "TEXT", help: "what it is called, else as it calls itself"),
            CommandOption(name: "--no-wait", help: "return as soon as the daemon has accepted it"),
            .timeout,
        ] + ruleOptions,
        words: 0...1000, completes: .oneOf(["list", "add", "remove", "refresh", "rules"])
    ) { (invocation) throws(ClientFailure) in
        let words = invocation.words
        switch (words.first ?? "list", words.count) {
        case ("list", 0...1): try listSources(invocation)
        case ("add", 2): try addSource(invocation, words[1])
        case ("remove", 2...): try removeSources(invocation, words.dropFirst())
        case ("refresh", 1...2): try refresh(invocation, words.dropFirst().first)
        case ("rules", 2...3): try rules(invocation, words.dropFirst())
        default:
            throw .usage(
                "\"\(words.joined(separator: " "))\" is none of list, add URL, remove ID…, refresh [ID], rules ID"
            )
        }
    }

    private static func listSources(_ invocation: Invocation) throws(ClientFailure) {
        let result = try invocation.connect().call("store.sources")
        let output = invocation.output
        if invocation.wantsJSON { return output.json(result) }
        let sources = result.elements(of: "sources")
        guard !sources.isEmpty else {
            return output.line("There are no sources; add one with: jukectl sources add URL")
        }
        StoreTables.sources(sources).print(on: output)
    }

    private static func addSource(_ invocation: Invocation, _ word: String) throws(ClientFailure) {
        let deadline = try invocation.deadline()
        let daemon = try invocation.connect()
        try daemon.observe(["sources"])
        var parameters = ["url": JSONValue.string(Address.resolve(word))]
        if let title = invocation.options["--title"] { parameters["title"] = .string(title) }
        let result = try daemon.call("store.addSource", .object(JSONMembers(parameters)))
        try waitUntilRead(daemon, result["id"], invocation, until: deadline)
        if invocation.wantsJSON { return invocation.output.json(result) }
        let isNew = result["new"] != .bool(false)
        invocation.output.line(
            "\(isNew ? "Added as" : "Is there already:") source \(ValueText.write(result["id"] ?? .null))")
    }

    private static func removeSources(_ invocation: Invocation, _ words: some Sequence<String>)
        throws(ClientFailure)
    {
        var ids: [JSONValue] = []
        for word in words { ids.append(try StoreID.source(word)) }
        let daemon = try invocation.connect()
        for id in ids {
            invocation.output.acknowledge(try daemon.call("store.removeSource", .object(["id": id])))
        }
    }

    private static func refresh(_ invocation: Invocation, _ word: String?) throws(ClientFailure) {
        let id = try word.map { (word) throws(ClientFailure) in try StoreID.source(word) }
        let deadline = try invocation.deadline()
        let daemon = try invocation.connect()
        try daemon.observe(["sources", "store"])
        let parameters = id.map { JSONValue.object(["source": $0]) }
        let result = try daemon.call("store.refresh", parameters ?? .null)
        try waitUntilRead(daemon, id, invocation, until: deadline)
        invocation.output.acknowledge(result)
    }

    /// Waits until a source, or all together, are not loading any more. Throws what is wrong with that source.
    private static func waitUntilRead(
        _ daemon: Daemon, _ id: JSONValue?, _ invocation: Invocation, until deadline: MonotonicTime?
    ) throws(ClientFailure) {
        if invocation.has("--no-wait") { return }
        let name = id.map { "sources.\(ValueText.write($0))" }
        let line = ProgressLine(invocation.output)
        defer { line.clear() }
        while daemon.values[name.map { "\($0).status" } ?? "store.status"] == .string("loading") {
            let progress = name.flatMap { daemon.values["\($0).progress"] }
            line.show(sourceProgress(progress))
            if try daemon.waitForChange(until: deadline) == .deadline {
                throw ClientFailure(status: .timedOut, message: "it is being read still; the daemon goes on")
            }
        }
        guard let name, daemon.values["\(name).status"] == .string("failed") else { return }
        let error = daemon.values["\(name).error"]
        throw .refused(
            PlainText.line(error?["message"]) ?? "it cannot be read", code: ItemText.text(error?["code"]))
    }

    private static func sourceProgress(_ progress: JSONValue?) -> String {
        let items = progress?["items"]?.number.map { " \(ValueText.write(.real($0))) items" } ?? ""
        guard let fraction = progress?["fraction"]?.number else { return "reading\(items)" }
        return "\(ProgressBar.text(fraction, columns: 20)) reading\(items)"
    }
}
