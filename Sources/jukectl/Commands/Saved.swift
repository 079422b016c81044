import Base

extension Command {
    static let save = Command(
        name: "save", synopsis: "NAME", summary: "save the queue under a name",
        details: "As a playlist that other players read too; headers are not in it.",
        words: 1...1, completes: .saved
    ) { (invocation) throws(ClientFailure) in
        let parameters = JSONValue.object(["name": .string(invocation.words[0])])
        try show(try invocation.connect().call("queue.save", parameters), invocation)
    }

    static let load = Command(
        name: "load", synopsis: "[--play] [NAME]",
        summary: "make the queue what was saved (with no name: list what was saved)",
        options: [CommandOption(name: "--play", help: "and play it")],
        words: 0...1, completes: .saved
    ) { (invocation) throws(ClientFailure) in
        let daemon = try invocation.connect()
        guard let name = invocation.words.first else {
            let result = try daemon.call("queue.saved")
            if invocation.wantsJSON { return invocation.output.json(result) }
            for name in result.elements(of: "names") { invocation.output.line(ValueText.write(name)) }
            return
        }
        let parameters = JSONValue.object(["name": .string(name), "play": .bool(invocation.has("--play"))])
        try show(try daemon.call("queue.load", parameters), invocation)
    }

    private static func show(_ result: JSONValue, _ invocation: Invocation) throws(ClientFailure) {
        if invocation.wantsJSON { return invocation.output.json(result) }
        if let count = result["withoutHeaders"]?.whole, count > 0 {
            invocation.output.line("\(count) without the headers that they need")
        }
    }
}
