/// The help, made from the table of commands.
enum Help {
    /// Prints the help of a command, or the list of all.
    static func show(_ command: Command?) {
        Output(wantsJSON: false).write(command.map(text(of:)) ?? overview)
    }

    /// All commands, a line each.
    static var overview: String {
        let usages = CommandTable.all.map { "\($0.name) \($0.synopsis)" }
        let width = min(34, usages.map(\.count).max() ?? 0)
        var lines = ["usage: jukectl [--socket PATH] [--json] COMMAND …", "", "Commands:"]
        for (usage, command) in zip(usages, CommandTable.all) {
            lines.append("  \(padded(usage, width))  \(command.summary)")
        }
        lines += ["", "Everywhere:"] + CommandOption.everywhere.map(line(of:))
        lines += ["", exitStatus, "More about one: jukectl help COMMAND, or jukectl(1).", ""]
        return lines.joined(separator: "\n")
    }

    /// Everything about one command.
    static func text(of command: Command) -> String {
        var lines = ["usage: jukectl \(command.name) \(command.synopsis)", "", command.summary + "."]
        if !command.details.isEmpty { lines += ["", command.details] }
        lines += ["", "Options:"] + (command.options + CommandOption.everywhere).map(line(of:))
        lines += ["", exitStatus, ""]
        return lines.joined(separator: "\n")
    }

    private static let exitStatus =
        "Ends with 0 done, 1 the daemon said no, 2 wrong usage, 3 no daemon, 4 timed out."

    private static func line(of option: CommandOption) -> String {
        let usage = option.value.map { "\(option.name) \($0)" } ?? option.name
        return "  \(padded(usage, 18))  \(option.help)"
    }

    /// The text with blanks after it up to a width in characters.
    static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}
