/// Turns the words of a command line into a command and its invocation.
///
/// Only words that begin with two dashes are options, so that `seek -10` and `volume -5` need no tricks;
/// after `--` nothing is.
struct CommandLineParser {
    /// What the command line asks for.
    enum Request {
        case run(Command, Invocation)
        /// The help of one command, or of all.
        case help(Command?)
        case version
    }

    let commands: [Command]

    /// Reads the words after the program's name. Throws wrong usage that names the word.
    func parse(_ arguments: [String]) throws(ClientFailure) -> Request {
        var command: Command?
        var invocation = Invocation()
        var rest = arguments[...]
        var onlyWords = false
        while let word = rest.popFirst() {
            if !onlyWords, word == "--" {
                onlyWords = true
            } else if !onlyWords, word == "-h" {
                invocation.options["--help"] = ""
            } else if !onlyWords, word == "--version", command == nil {
                return .version
            } else if !onlyWords, word.hasPrefix("--") {
                try take(option: word, of: command, from: &rest, into: &invocation)
            } else if command == nil {
                command = try self.command(named: word)
            } else {
                invocation.words.append(word)
            }
        }
        if invocation.has("--help") { return .help(command) }
        guard let command else { return .help(nil) }
        try check(invocation, of: command)
        return .run(command, invocation)
    }

    private func take(
        option word: String, of command: Command?, from rest: inout ArraySlice<String>,
        into invocation: inout Invocation
    ) throws(ClientFailure) {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0])
        let known = command?.option(named: name) ?? CommandOption.everywhere.first { $0.name == name }
        guard let option = known else {
            throw .usage(
                command.map { "\($0.name) has no option \(name); see: jukectl help \($0.name)" }
                    ?? "there is no option \(name) before the command; see: jukectl help")
        }
        guard let value = option.value else {
            if parts.count == 2 { throw .usage("\(name) takes no value") }
            invocation.options[name] = ""
            return
        }
        if parts.count == 2 {
            invocation.options[name] = String(parts[1])
        } else if let next = rest.popFirst() {
            invocation.options[name] = next
        } else {
            throw .usage("\(name) needs its \(value)")
        }
    }

    private func command(named name: String) throws(ClientFailure) -> Command {
        if let command = commands.first(where: { $0.name == name }) { return command }
        let near = commands.filter { $0.name.hasPrefix(name) }.map(\.name)
        let hint = near.isEmpty ? "the list: jukectl help" : "did you mean \(near.joined(separator: " or "))?"
        throw .usage("there is no command \"\(name)\"; \(hint)")
    }

    private func check(_ invocation: Invocation, of command: Command) throws(ClientFailure) {
        if command.words.contains(invocation.words.count) { return }
        let problem =
            invocation.words.count < command.words.lowerBound
            ? "\(command.name) needs more words"
            : "\(command.name) takes no \"\(invocation.words.last ?? "")\""
        throw .usage("\(problem); usage: jukectl \(command.name) \(command.synopsis)")
    }
}
