/// An option of a command or of all commands, as the help, the completions and the parser see it.
struct CommandOption: Equatable, Sendable {
    /// With its two dashes.
    let name: String
    /// What its value is called; nil for an option that takes none.
    var value: String?
    let help: String

    /// What every command takes, before or after its name.
    static let everywhere = [
        CommandOption(
            name: "--socket", value: "PATH",
            help: "the daemon's socket (else JUKEBOXD_SOCKET, else the usual places)"),
        CommandOption(name: "--json", help: "print JSON, for scripts"),
        CommandOption(name: "--help", help: "explain the command"),
    ]
}
