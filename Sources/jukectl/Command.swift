/// A command of `jukectl`: all that the parser, the help and the completions know of it.
struct Command: Sendable {
    /// What its words are, for those who complete them.
    enum Words: Sendable {
        case none, path, entry, key, method, command, saved, storeItem, download
        /// A key, an equals sign and a value.
        case assignment
        case output
        case oneOf([String])
    }

    let name: String
    /// The words after the name, as the help shows them.
    var synopsis = ""
    /// One line, for the list of commands.
    let summary: String
    /// More about it, in whole lines; empty where the summary says all.
    var details = ""
    var options: [CommandOption] = []
    /// How many words it takes.
    var words: ClosedRange<Int> = 0...0
    var completes = Words.none
    let run: @Sendable (Invocation) throws(ClientFailure) -> Void

    /// The option of that name, of this command or of all.
    func option(named name: String) -> CommandOption? {
        (options + CommandOption.everywhere).first { $0.name == name }
    }
}
