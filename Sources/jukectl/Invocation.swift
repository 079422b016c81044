import Base

/// A command line that was understood: the command's words and options, and what every command takes.
struct Invocation {
    var words: [String] = []
    /// By name; the value is empty for an option that takes none.
    var options: [String: String] = [:]

    /// True when the option was given.
    func has(_ option: String) -> Bool { options[option] != nil }

    /// True when a script reads the output.
    var wantsJSON: Bool { has("--json") }

    /// Where output goes.
    var output: Output { Output(wantsJSON: wantsJSON) }

    /// Connects to the daemon. Throws with status 3 when there is none.
    func connect() throws(ClientFailure) -> Daemon {
        try Daemon(socket: options["--socket"])
    }

    /// What an option says that takes a whole number from 0 on; nil without it. Throws wrong usage.
    func count(_ option: String) throws(ClientFailure) -> Int64? {
        guard let text = options[option] else { return nil }
        guard let number = Int64(text), number >= 0 else {
            throw .usage("\(option) takes a number, not \"\(text)\"")
        }
        return number
    }

    /// The moment at which `--timeout SECONDS` is over; nil without the option. Throws wrong usage.
    func deadline() throws(ClientFailure) -> MonotonicTime? {
        guard let text = options["--timeout"] else { return nil }
        guard let seconds = Double(text), seconds >= 0, seconds < 1e9 else {
            throw .usage("--timeout takes seconds, not \"\(text)\"")
        }
        return .now + .seconds(clamping: seconds)
    }
}
