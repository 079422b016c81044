import Base
import Output

extension Configuration {
    /// Takes in a file: an unknown section or key, or a value that is not allowed, is an error that names
    /// file, line, key and what is allowed.
    mutating func apply(_ file: INIFile) throws(ConfigurationError) {
        for entry in file.entries {
            if let message = apply(entry) {
                throw ConfigurationError(
                    file: file.path, line: entry.line, key: "[\(entry.section)] \(entry.name)",
                    message: message)
            }
        }
    }

    private mutating func apply(_ entry: INIFile.Entry) -> String? {
        if let prefix = Stations.prefix(section: entry.section) {
            return stations.set(entry.name, entry.value, prefix: prefix)
        }
        if entry.section == "outputs" { return addOutput(name: entry.name, specification: entry.value) }
        if let key = ConfigurationKey.all.first(where: {
            $0.section == entry.section && $0.name == entry.name
        }) {
            guard let allowed = key.apply(&self, entry.value) else { return nil }
            return "\"\(entry.value)\" is not \(allowed)"
        }
        let sections = Self.sections
        guard sections.contains(entry.section) else {
            let known = (sections + ["station URL-PREFIX"]).map { "[\($0)]" }
            return "unknown section; the sections are " + known.joined(separator: ", ")
        }
        let names = ConfigurationKey.all.filter { $0.section == entry.section }.map(\.name)
        return "unknown key; [\(entry.section)] has " + names.joined(separator: ", ")
    }

    /// Adds an output; returns what is wrong with it, if anything.
    mutating func addOutput(name: String?, specification: String) -> String? {
        let text = name.map { "\($0)=\(specification)" } ?? specification
        do {
            let output = try OutputSpec(parsing: text)
            if outputs.contains(where: { $0.name == output.name }) {
                return "there are two outputs named \"\(output.name)\"; name one of them differently"
            }
            if outputs.count == OutputSpec.limit {
                return "there are more than \(OutputSpec.limit) outputs"
            }
            outputs.append(output)
            return nil
        } catch {
            return "\(error)"
        }
    }

    private static var sections: [String] {
        var sections: [String] = []
        for key in ConfigurationKey.all where !sections.contains(key.section) { sections.append(key.section) }
        sections.insert("outputs", at: min(2, sections.count))
        return sections
    }
}

extension Configuration {
    /// The file that the options name, else the user's or the system's, with the options on top.
    init(_ options: Options) throws(ConfigurationError) {
        self.init()
        if let path = options.configurationFile ?? Folders.configurationFile() {
            try apply(INIFile(path: path))
        }
        if let level = options.logLevel { logLevel = level }
        if options.isOffline { isOffline = true }
        if options.outputs.isEmpty { return }
        outputs = []
        for text in options.outputs {
            if let message = addOutput(name: nil, specification: text) {
                throw ConfigurationError(key: "--output", message: message)
            }
        }
    }
}
