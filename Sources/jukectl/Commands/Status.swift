import Base
import Terminal

extension Command {
    static let status = Command(
        name: "status", synopsis: "[--follow]", summary: "show what plays",
        details: """
            With --follow: goes on, on a terminal as one line that moves with the music, elsewhere as a line
            whenever something changes. Ends with 0 on Ctrl-C or SIGTERM, and with 3 when the daemon goes.
            """,
        options: [CommandOption(name: "--follow", help: "go on as it changes")]
    ) { (invocation) throws(ClientFailure) in
        let daemon = try invocation.connect()
        if invocation.has("--follow") { return try follow(daemon, invocation.output) }
        let keys = JSONValue.array(StatusText.keys.map { .string($0) })
        let result = try daemon.call("get", .object(["keys": keys]))
        guard case .object(let values)? = result["values"] else { return }
        if invocation.wantsJSON { return invocation.output.json(.object(values)) }
        invocation.output.write(
            StatusText.lines(values.dictionary, on: invocation.output).joined(separator: "\n") + "\n")
    }

    private static func follow(_ daemon: Daemon, _ output: Output) throws(ClientFailure) {
        daemon.catchInterrupts()
        try daemon.observe(StatusText.keys)
        defer { if output.isTerminal && !output.wantsJSON { output.write("\n") } }
        var shown = ""
        while true {
            let line =
                output.wantsJSON
                ? JSONText(JSONValue.object(JSONMembers(daemon.values))).string
                : StatusText.line(daemon.values, on: output)
            if output.isTerminal, !output.wantsJSON {
                // Without wrapping, so that a long title does not leave lines behind.
                output.write("\r\u{1B}[K\u{1B}[?7l\(line)\u{1B}[?7h")
            } else if line != shown {
                output.line(line)
            }
            shown = line
            let next = output.isTerminal ? PlaybackText.nextSecond(daemon.values) : nil
            if try daemon.waitForChange(until: next) == .interrupted { return }
        }
    }
}
