import Base
import Terminal

extension Command {
    static let ruleOptions = [
        CommandOption(name: "--newest", value: "N", help: "rules: keep the newest N"),
        CommandOption(name: "--days", value: "N", help: "rules: keep what is not older than N days"),
        CommandOption(name: "--until-heard", help: "rules: keep only what was not heard"),
        CommandOption(name: "--hours", value: "FROM-TO", help: "rules: fetch only then, such as 01:00-06:00"),
        CommandOption(name: "--bytes", value: "BYTES", help: "rules: keep no more than that, such as 2G"),
    ]

    /// Shows what is downloaded of a source by itself, sets it, or ends it (`none`).
    static func rules(_ invocation: Invocation, _ words: some Collection<String>) throws(ClientFailure) {
        let words = Array(words)
        let id = try StoreID.source(words[0])
        let given = try given(invocation)
        let isEnd = words.count == 2
        guard !isEnd || (words[1] == "none" && given.isEmpty) else {
            throw .usage("after the ID comes none, or what is kept: see jukectl help sources")
        }
        let daemon = try invocation.connect()
        guard isEnd || !given.isEmpty else { return try show(rulesOf: id, daemon, invocation) }
        let rules: JSONValue = isEnd ? .null : .object(JSONMembers(given))
        invocation.output.acknowledge(
            try daemon.call("store.setRules", .object(["source": id, "rules": rules])))
    }

    /// The rules that the options say.
    private static func given(_ invocation: Invocation) throws(ClientFailure) -> [String: JSONValue] {
        var rules: [String: JSONValue] = [:]
        for name in ["newest", "days"] {
            guard let text = invocation.options["--\(name)"] else { continue }
            guard let number = Int64(text) else { throw .usage("--\(name) \"\(text)\" is no whole number") }
            rules[name] = .integer(number)
        }
        if invocation.has("--until-heard") { rules["untilHeard"] = .bool(true) }
        if let text = invocation.options["--hours"] {
            let times = text.split(separator: "-", omittingEmptySubsequences: false)
            guard times.count == 2 else { throw .usage("--hours takes FROM-TO, such as 01:00-06:00") }
            rules["hours"] = .object(["from": .string(String(times[0])), "to": .string(String(times[1]))])
        }
        if let text = invocation.options["--bytes"] {
            guard let bytes = ByteText.read(text) else {
                throw .usage("--bytes \"\(text)\" is no number of bytes; write 500000000, 500M or 2G")
            }
            rules["bytes"] = .integer(bytes)
        }
        return rules
    }

    private static func show(rulesOf id: JSONValue, _ daemon: Daemon, _ invocation: Invocation)
        throws(ClientFailure)
    {
        let sources = try daemon.call("store.sources").elements(of: "sources")
        guard let source = sources.first(where: { $0["id"] == id }) else {
            throw .refused("there is no source \(ValueText.write(id))")
        }
        let rules = source["rules"] ?? .null
        if invocation.wantsJSON { return invocation.output.json(rules) }
        invocation.output.line(ruleText(rules))
    }

    /// Rules in words.
    static func ruleText(_ rules: JSONValue) -> String {
        var parts: [String] = []
        if let newest = rules["newest"]?.whole { parts.append("the newest \(newest)") }
        if let days = rules["days"]?.whole { parts.append("of the last \(days) days") }
        if rules["untilHeard"] == .bool(true) { parts.append("until heard") }
        if let bytes = rules["bytes"]?.number { parts.append("at most \(ByteText.write(bytes))") }
        if let from = PlainText.line(rules["hours"]?["from"]), let to = PlainText.line(rules["hours"]?["to"])
        {
            parts.append("fetched from \(from) to \(to)")
        }
        return parts.isEmpty ? "Nothing is downloaded by itself." : parts.joined(separator: ", ")
    }
}
