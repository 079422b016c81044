import Base

extension Command {
    static let mute = Command(
        name: "mute", synopsis: "[on|off|toggle]",
        summary: "be silent without pausing (with no word: toggle)",
        words: 0...1, completes: .oneOf(["on", "off", "toggle"])
    ) { (invocation) throws(ClientFailure) in
        try turn("player.muted", invocation) { $0 ? "muted" : "not muted" }
    }
}
