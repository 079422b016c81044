import Base

extension Command {
    static let sleep = Command(
        name: "sleep", synopsis: "[TIME|off]",
        summary: "fall asleep after a while, or at a time of day (with no word: say when)",
        details:
            "TIME is 30m, 1h30m, 90s or 23:30. It becomes quiet over 30 seconds, then pauses; radio stops.",
        words: 0...1, completes: .oneOf(["15m", "30m", "1h", "off"])
    ) { (invocation) throws(ClientFailure) in
        let daemon = try invocation.connect()
        var value = JSONValue.null
        if let word = invocation.words.first {
            if word != "off" {
                guard let at = TimeText.moment(word, now: Clocks.unixTime) else {
                    throw .usage("\"\(word)\" is neither a while (30m) nor a time of day (23:30) nor off")
                }
                value = .real(at)
            }
            try daemon.set("player.sleepAt", value)
        } else {
            value = try daemon.value(of: "player.sleepAt")
        }
        if invocation.wantsJSON { return invocation.output.json(value) }
        invocation.output.line(value.number.map { "sleep at \(LocalClock.text($0))" } ?? "no sleep timer")
    }

    static let announce = Command(
        name: "announce", synopsis: "[--volume N] [--duck|--interrupt] URL",
        summary: "play something at once, then go back to what was before",
        options: [
            CommandOption(name: "--volume", value: "N", help: "how loud, 0 to 100"),
            CommandOption(name: "--duck", help: "over what plays, which goes on more quietly"),
            CommandOption(name: "--interrupt", help: "instead of what plays"),
        ], words: 1...1,
        completes: .path
    ) { (invocation) throws(ClientFailure) in
        var parameters: [String: JSONValue] = ["url": .string(Address.resolve(invocation.words[0]))]
        if let volume = try number(invocation, "--volume") { parameters["volume"] = volume }
        let (ducks, interrupts) = (invocation.has("--duck"), invocation.has("--interrupt"))
        if ducks, interrupts { throw .usage("--duck and --interrupt are two ways: one of them") }
        if ducks || interrupts { parameters["duck"] = .bool(ducks) }
        invocation.output.acknowledge(
            try invocation.connect().call("announce", .object(JSONMembers(parameters))))
    }

    static let alarm = Command(
        name: "alarm", synopsis: "[add TIME [URL]|remove ID…|list]",
        summary: "list the alarms, add one, remove some",
        details: """
            TIME is HH:MM where the daemon is. With no URL the queue is played.
            Example: jukectl alarm add 06:45 https://radio.example.org/live.mp3 --days workdays --volume 30 --fade 60
            """,
        options: [
            CommandOption(
                name: "--days", value: "DAYS", help: "mon,tue,… or workdays, weekend, daily; else once"),
            CommandOption(name: "--volume", value: "N", help: "how loud, 0 to 100"),
            CommandOption(name: "--fade", value: "SECONDS", help: "becoming loud over that many seconds"),
            CommandOption(
                name: "--fallback", value: "FILE", help: "what to play when the URL cannot be heard"),
        ],
        words: 0...1000, completes: .oneOf(["add", "list", "remove"])
    ) { (invocation) throws(ClientFailure) in
        let words = invocation.words.dropFirst()
        switch invocation.words.first ?? "list" {
        case "list" where words.isEmpty: try listAlarms(invocation)
        case "add" where (1...2).contains(words.count): try addAlarm(invocation, Array(words))
        case "remove" where !words.isEmpty:
            let daemon = try invocation.connect()
            for word in words {
                let parameters = JSONValue.object(["id": try Entries.id(word)])
                invocation.output.acknowledge(try daemon.call("alarm.remove", parameters))
            }
        default: throw .usage("it is: alarm list, alarm add TIME [URL], or alarm remove ID…")
        }
    }

    private static func addAlarm(_ invocation: Invocation, _ words: [String]) throws(ClientFailure) {
        var parameters: [String: JSONValue] = ["time": .string(words[0])]
        if words.count == 2 { parameters["item"] = .string(Address.resolve(words[1])) }
        if let days = invocation.options["--days"] {
            parameters["weekdays"] = .array(TimeText.days(days).map { .string($0) })
        }
        if let volume = try number(invocation, "--volume") { parameters["volume"] = volume }
        if let fade = try number(invocation, "--fade") { parameters["fade"] = fade }
        if let path = invocation.options["--fallback"] {
            parameters["fallback"] = .string(Address.resolve(path))
        }
        let result = try invocation.connect().call("alarm.add", .object(JSONMembers(parameters)))
        if invocation.wantsJSON { return invocation.output.json(result) }
        invocation.output.line(TimeText.alarm(result, on: invocation.output))
    }

    private static func listAlarms(_ invocation: Invocation) throws(ClientFailure) {
        let result = try invocation.connect().call("alarm.list")
        if invocation.wantsJSON { return invocation.output.json(result) }
        let alarms = result.elements(of: "alarms")
        guard !alarms.isEmpty else {
            return invocation.output.line("There are no alarms.")
        }
        for alarm in alarms { invocation.output.line(TimeText.alarm(alarm, on: invocation.output)) }
    }

    private static func number(_ invocation: Invocation, _ option: String) throws(ClientFailure) -> JSONValue?
    {
        guard let text = invocation.options[option] else { return nil }
        guard let number = Double(text), number.isFinite else {
            throw .usage("\(option) takes a number, not \"\(text)\"")
        }
        return .real(number)
    }
}
