import Base

extension Command {
    static let mute = Command(
        name: "mute", synopsis: "[on|off|toggle]",
        summary: "be silent without pausing (with no word: toggle)",
        words: 0...1, completes: .oneOf(["on", "off", "toggle"])
    ) { (invocation) throws(ClientFailure) in
        let word = invocation.words.first ?? "toggle"
        guard ["on", "off", "toggle"].contains(word) else {
            throw .usage("\"\(word)\" is none of on, off, toggle")
        }
        let daemon = try invocation.connect()
        var value = JSONValue.bool(word == "on")
        if word == "toggle" {
            value = try daemon.call("invert", .object(["key": .string("player.muted")]))["value"] ?? .null
        } else {
            _ = try daemon.call("set", .object(["values": .object(["player.muted": value])]))
        }
        if invocation.wantsJSON {
            invocation.output.json(value)
        } else {
            invocation.output.line(value == .bool(true) ? "muted" : "not muted")
        }
    }
}
