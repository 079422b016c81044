import Base

extension Command {
    static let watch = Command(
        name: "watch", synopsis: "[KEY…]",
        summary: "print values as they are, then a line whenever one changes",
        details: """
            Lines are "KEY VALUE"; a key that went away has no value. KEY is a key or the part of one before
            a dot, as in `jukectl watch player item.title`; without, everything.
            Ends with 0 on Ctrl-C or SIGTERM, and with 3 when the daemon goes.
            """,
        words: 0...1000, completes: .key
    ) { (invocation) throws(ClientFailure) in
        let output = invocation.output
        let daemon = try invocation.connect()
        daemon.catchInterrupts()
        try daemon.observe(invocation.words.isEmpty ? ["*"] : invocation.words)
        for (key, value) in daemon.values.sorted(by: { $0.key < $1.key }) { show(key, value, on: output) }
        while try daemon.waitForChange(until: nil) != .interrupted {
            for key in daemon.takeChangedKeys().sorted() { show(key, daemon.values[key], on: output) }
        }
    }

    private static func show(_ key: String, _ value: JSONValue?, on output: Output) {
        if output.wantsJSON {
            let change = value.map { ("value", $0) } ?? ("removed", .bool(true))
            output.json(.object(["key": .string(key), change.0: change.1]))
        } else {
            output.line(value.map { "\(key) \(ValueText.write($0))" } ?? key)
        }
    }
}
