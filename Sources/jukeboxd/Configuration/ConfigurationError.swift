/// A mistake in a configuration file or on the command line, told so that a person can mend it.
struct ConfigurationError: Error, Equatable, CustomStringConvertible {
    /// The file; nil for the command line.
    var file: String?
    /// The line, from 1.
    var line: Int?
    /// `[section] key`, or an option.
    var key: String?
    /// What is wrong and what is allowed.
    var message: String

    var description: String {
        var place = file ?? ""
        if let line { place += ":\(line)" }
        let parts = [place, key ?? "", message].filter { !$0.isEmpty }
        return parts.joined(separator: ": ")
    }
}
