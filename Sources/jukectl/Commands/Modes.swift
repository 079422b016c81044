import Base

extension Command {
    static let repeats = Command(
        name: "repeat", synopsis: "[off|all|one]",
        summary: "play the queue again and again, or one entry (with no word: say which)",
        words: 0...1, completes: .oneOf(["off", "all", "one"])
    ) { (invocation) throws(ClientFailure) in
        try choose("player.repeat", "repeat", ["off", "all", "one"], invocation)
    }

    static let shuffle = Command(
        name: "shuffle", synopsis: "[on|off|toggle|queue]",
        summary: "play in an order of chance (with no word: toggle)",
        details: """
            Every entry comes once a round, and previous goes back the same way; the list stays as it is.
            With "queue" the list itself is brought into an order of chance, once.
            """,
        words: 0...1, completes: .oneOf(["on", "off", "toggle", "queue"])
    ) { (invocation) throws(ClientFailure) in
        guard invocation.words.first == "queue" else {
            return try turn("player.shuffle", invocation, others: ", queue") {
                "shuffle \($0 ? "on" : "off")"
            }
        }
        invocation.output.acknowledge(try invocation.connect().call("queue.shuffle"))
    }

    static let consume = Command(
        name: "consume", synopsis: "[on|off|toggle]",
        summary: "remove entries once they were played (with no word: toggle)",
        words: 0...1, completes: .oneOf(["on", "off", "toggle"])
    ) { (invocation) throws(ClientFailure) in
        try turn("player.consume", invocation) { "consume \($0 ? "on" : "off")" }
    }
}
