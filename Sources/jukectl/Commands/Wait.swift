import Base

extension Command {
    static let wait = Command(
        name: "wait", synopsis: "KEY=VALUE [--timeout SECONDS]", summary: "wait until a property has a value",
        details: "Returns at once if it has. Example: jukectl wait player.state=stopped --timeout 600",
        options: [.timeout], words: 1...1, completes: .assignment
    ) { (invocation) throws(ClientFailure) in
        let (key, text) = try assignment(invocation.words[0])
        let deadline = try invocation.deadline()
        let daemon = try invocation.connect()
        try daemon.observe([key])
        while !ValueText.matches(daemon.values[key] ?? .null, text) {
            if try daemon.waitForChange(until: deadline) == .deadline {
                let value = ValueText.write(daemon.values[key] ?? .null)
                throw ClientFailure(status: .timedOut, message: "\(key) is \(value), not \(text)")
            }
        }
        if invocation.wantsJSON { invocation.output.json(daemon.values[key] ?? .null) }
    }
}
