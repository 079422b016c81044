import Base

/// What several commands do with a property: choose one of its values, or turn it on and off.
extension Command {
    /// Sets a property that is one of some words, or says what it is.
    static func choose(_ key: String, _ name: String, _ words: [String], _ invocation: Invocation)
        throws(ClientFailure)
    {
        let daemon = try invocation.connect()
        var value = JSONValue.null
        if let word = invocation.words.first {
            guard words.contains(word) else {
                throw .usage("\"\(word)\" is none of \(words.joined(separator: ", "))")
            }
            value = .string(word)
            try daemon.set(key, value)
        } else {
            value = try daemon.value(of: key)
        }
        if invocation.wantsJSON { return invocation.output.json(value) }
        invocation.output.line("\(name) \(ValueText.write(value))")
    }

    /// Turns a property on or off, or over where no word says which; `others` are further words of the command, and
    /// `say` is what a person reads then.
    static func turn(
        _ key: String, _ invocation: Invocation, others: String = "", say: (Bool) -> String
    ) throws(ClientFailure) {
        let word = invocation.words.first ?? "toggle"
        guard ["on", "off", "toggle"].contains(word) else {
            throw .usage("\"\(word)\" is none of on, off, toggle\(others)")
        }
        let daemon = try invocation.connect()
        var value = JSONValue.bool(word == "on")
        if word == "toggle" {
            value = try daemon.call("invert", .object(["key": .string(key)]))["value"] ?? .null
        } else {
            try daemon.set(key, value)
        }
        if invocation.wantsJSON { return invocation.output.json(value) }
        invocation.output.line(say(value == .bool(true)))
    }
}
