import Base

extension Command {
    static let replayGain = Command(
        name: "replaygain", synopsis: "[off|track|album|auto]",
        summary: "play everything equally loud (with no word: say how)",
        details: """
            By the gains in tags, or by what was measured of it when it was heard before: of each item by itself
            (track), of its album (album), or of the album where neighbours are of one (auto).
            """,
        words: 0...1, completes: .oneOf(["off", "track", "album", "auto"])
    ) { (invocation) throws(ClientFailure) in
        try choose("player.replayGain", "replaygain", ["off", "track", "album", "auto"], invocation)
    }

    static let crossfade = Command(
        name: "crossfade", synopsis: "[SECONDS]",
        summary: "fade items into one another, 0 to 15 seconds (with none: say how long)",
        words: 0...1
    ) { (invocation) throws(ClientFailure) in
        let daemon = try invocation.connect()
        if let word = invocation.words.first {
            guard let seconds = Double(word), seconds.isFinite else {
                throw .usage("\"\(word)\" is no number of seconds")
            }
            try daemon.set("player.crossfade", .real(seconds))
        }
        let value = try daemon.value(of: "player.crossfade")
        if invocation.wantsJSON { return invocation.output.json(value) }
        invocation.output.line("crossfade \(ValueText.write(value)) s")
    }
}
