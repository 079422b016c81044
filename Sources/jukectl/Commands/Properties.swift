import Base

extension Command {
    static let get = Command(
        name: "get", synopsis: "KEY…", summary: "show properties: a key, or all below a part of one",
        details:
            "Examples: jukectl get player.state; jukectl get item queue. Every property: jukectl get '*'.",
        words: 1...1000, completes: .key
    ) { (invocation) throws(ClientFailure) in
        let keys = JSONValue.array(invocation.words.map { .string($0) })
        let values = try invocation.connect().call("get", .object(["keys": keys]))["values"] ?? .null
        if invocation.wantsJSON { return invocation.output.json(values) }
        guard case .object(let members) = values else { return }
        if invocation.words.count == 1, let value = members[invocation.words[0]] {
            return invocation.output.line(ValueText.write(value))
        }
        for (key, value) in members {
            invocation.output.line("\(key) \(ValueText.write(value))")
        }
    }

    static let set = Command(
        name: "set", synopsis: "KEY=VALUE…", summary: "set properties, all of them or none",
        details: "Example: jukectl set player.volume=30 player.muted=false",
        words: 1...1000, completes: .assignment
    ) { (invocation) throws(ClientFailure) in
        var values: [String: JSONValue] = [:]
        for word in invocation.words {
            let (key, text) = try assignment(word)
            values[key] = ValueText.read(text)
        }
        let result = try invocation.connect().call("set", .object(["values": .object(JSONMembers(values))]))
        invocation.output.acknowledge(result)
    }

    /// Splits `KEY=VALUE`. Throws wrong usage.
    static func assignment(_ word: String) throws(ClientFailure) -> (key: String, text: String) {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty else { throw .usage("\"\(word)\" is not KEY=VALUE") }
        return (String(parts[0]), String(parts[1]))
    }
}
