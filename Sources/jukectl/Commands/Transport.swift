import Base

extension Command {
    static let play = Command(
        name: "play", synopsis: "[ID]", summary: "play, or go on after a pause",
        details: "With an ID, which `jukectl queue` shows: plays that entry from its start.",
        words: 0...1, completes: .entry
    ) { (invocation) throws(ClientFailure) in
        var parameters: [String: JSONValue] = [:]
        if let word = invocation.words.first { parameters["id"] = try Entries.id(word) }
        let result = try invocation.connect().call("play", .object(JSONMembers(parameters)))
        invocation.output.acknowledge(result)
    }

    static let pause = plain("pause", "pause; keeps the place")
    static let stop = plain("stop", "stop; frees the sound card and the connection, keeps the queue")
    static let toggle = plain("toggle", "pause what plays, play what is paused or stopped")
    static let next = plain("next", "go on to the next entry")
    static let previous = plain("previous", "back to the start of the item, or to the entry before it")
    static let clear = plain("clear", "empty the queue", method: "queue.clear")
    static let reload = plain("reload", "have the daemon read its configuration again")
    static let shutdown = plain("shutdown", "end the daemon")

    /// A command that is one request with no parameters.
    private static func plain(_ name: String, _ summary: String, method: String? = nil) -> Command {
        Command(name: name, summary: summary) { (invocation) throws(ClientFailure) in
            let result = try invocation.connect().call(method ?? name)
            invocation.output.acknowledge(result)
        }
    }
}
