import Base

/// The command line of `jukeboxd`.
struct Options: Equatable {
    var configurationFile: String?
    var socket: String?
    var cacheFolder: String?
    var stateFolder: String?
    var dataFolder: String?
    var outputs: [String] = []
    var logLevel: Log.Level?
    var isOffline = false
    var onlyChecks = false
    var wantsVersion = false
    var wantsHelp = false

    /// An option: its name, what its value is called (nil for none), its line in the help, its effect.
    struct Option {
        let name: String
        let value: String?
        let help: String
        /// Returns what is wrong with the value, if anything.
        let apply: (inout Options, String) -> String?
    }

    /// Every option, in the order of the help.
    static var all: [Option] {
        [
            path("--config", "FILE", "the configuration file", \.configurationFile),
            path("--socket", "PATH", "where clients connect", \.socket),
            path("--cache-dir", "DIR", "what may be fetched again", \.cacheFolder),
            path("--state-dir", "DIR", "what must survive a restart", \.stateFolder),
            path("--data-dir", "DIR", "what belongs to the user", \.dataFolder),
            Option(
                name: "--output", value: "[NAME=]SPEC",
                help: "where sound goes, such as alsa:hw:0, null or fifo:PATH; see jukeboxd(1); repeatable"
            ) { options, value in
                options.outputs.append(value)
                return nil
            },
            Option(name: "--log-level", value: "LEVEL", help: "error, warning, info or debug") {
                options, value in
                options.logLevel = Log.Level(name: value)
                return options.logLevel == nil
                    ? "\"\(value)\" is not one of error, warning, info, debug" : nil
            },
            flag("--offline", "play only what is here", \.isOffline),
            flag("--check", "check the configuration and end", \.onlyChecks),
            flag("--version", "print the version and end", \.wantsVersion),
            flag("--help", "print this and end", \.wantsHelp),
        ]
    }

    /// Parses arguments without the program's name. Throws what is wrong, naming the option.
    init(_ arguments: [String]) throws(ConfigurationError) {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            var name = argument
            var attached: String?
            if argument.hasPrefix("--"), let sign = argument.firstIndex(of: "=") {
                name = String(argument[..<sign])
                attached = String(argument[argument.index(after: sign)...])
            }
            if name == "-h" { name = "--help" }
            guard let option = Options.all.first(where: { $0.name == name }) else {
                throw ConfigurationError(key: argument, message: "unknown option; see jukeboxd --help")
            }
            try take(option, attached, &rest)
        }
    }

    private mutating func take(_ option: Option, _ attached: String?, _ rest: inout ArraySlice<String>)
        throws(ConfigurationError)
    {
        var value = ""
        if let name = option.value {
            guard let given = attached ?? rest.popFirst(), !given.isEmpty else {
                throw ConfigurationError(key: option.name, message: "needs a value: \(option.name) \(name)")
            }
            value = given
        } else if attached != nil {
            throw ConfigurationError(key: option.name, message: "takes no value")
        }
        if let message = option.apply(&self, value) {
            throw ConfigurationError(key: option.name, message: message)
        }
    }

    /// The text of `--help`.
    static var help: String {
        var lines = ["jukeboxd, a headless jukebox", "", "usage: jukeboxd [OPTION]...", ""]
        for option in all {
            let left = option.value.map { "\(option.name) \($0)" } ?? option.name
            lines.append("  " + left + String(repeating: " ", count: max(1, 24 - left.count)) + option.help)
        }
        lines += ["", "Clients: jukectl. More: jukeboxd(1), jukeboxd.conf(5)."]
        return lines.joined(separator: "\n") + "\n"
    }

    private static func path(
        _ name: String, _ value: String, _ help: String, _ field: WritableKeyPath<Options, String?>
    ) -> Option {
        Option(name: name, value: value, help: help) { options, value in
            options[keyPath: field] = value
            return nil
        }
    }

    private static func flag(_ name: String, _ help: String, _ field: WritableKeyPath<Options, Bool>)
        -> Option
    {
        Option(name: name, value: nil, help: help) { options, _ in
            options[keyPath: field] = true
            return nil
        }
    }
}
