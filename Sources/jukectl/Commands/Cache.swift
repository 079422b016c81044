import Base
import Terminal

extension Command {
    static let cache = Command(
        name: "cache", synopsis: "[list|clear [URL]|limit BYTES]",
        summary: "show, empty or bound what is kept of the network",
        details: "BYTES may end in K, M, G or T. clear without a URL removes all but downloads.", words: 0...2
    ) { (invocation) throws(ClientFailure) in
        let words = invocation.words
        let daemon = { () throws(ClientFailure) in try invocation.connect() }
        switch (words.first, words.count) {
        case (nil, _): try showCache(invocation, try daemon().call("cache.status"))
        case ("list", 1): try listCache(invocation, try daemon().call("cache.list"))
        case ("clear", _):
            let parameters = words.dropFirst().first.map { ["url": JSONValue.string($0)] } ?? [:]
            let result = try daemon().call("cache.clear", .object(JSONMembers(parameters)))
            if invocation.wantsJSON { return invocation.output.json(result) }
            invocation.output.line("freed \(ByteText.write(result["freed"]?.number ?? 0))")
        case ("limit", 2):
            guard let bytes = ByteText.read(words[1]) else {
                throw .usage("\"\(words[1])\" is no number of bytes; write 500000000, 500M or 2G")
            }
            let result = try daemon().set("cache.limit", .integer(bytes))
            if invocation.wantsJSON { invocation.output.json(result) }
        default: throw .usage("\"\(words.joined(separator: " "))\" is none of list, clear [URL], limit BYTES")
        }
    }

    private static func showCache(_ invocation: Invocation, _ status: JSONValue) throws(ClientFailure) {
        if invocation.wantsJSON { return invocation.output.json(status) }
        let output = invocation.output
        let used = ByteText.write(status["used"]?.number ?? 0)
        let limit = ByteText.write(status["limit"]?.number ?? 0)
        output.line("\(used) of \(limit) used, in \(ValueText.write(status["entries"] ?? .null)) entries")
        output.line(output.styled(ItemText.text(status["folder"]) ?? "", .faint))
        if let error = ItemText.text(status["error"]) { output.line(output.styled(error, .bad)) }
    }

    private static func listCache(_ invocation: Invocation, _ result: JSONValue) throws(ClientFailure) {
        if invocation.wantsJSON { return invocation.output.json(result) }
        let entries = result.elements(of: "entries")
        guard !entries.isEmpty else {
            return invocation.output.line("Nothing is cached.")
        }
        for entry in entries {
            let bytes = entry["bytes"]?.number ?? 0
            let part = entry["length"]?.number.flatMap { $0 > 0 ? min(1, bytes / $0) : nil }
            var line = TextWidth.fitted(part.map { "\(Int($0 * 100))%" } ?? "?", to: 4, right: true)
            line += TextWidth.fitted(ByteText.write(bytes), to: 12, right: true)
            line += entry["pinned"] == .bool(true) ? " * " : "   "
            invocation.output.line(line + (ItemText.text(entry["url"]) ?? "?"))
        }
    }
}
