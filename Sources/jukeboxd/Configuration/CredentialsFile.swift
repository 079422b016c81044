import Base
import Glibc
import Loader

/// `credentials.conf`: a section an origin, with what is sent to it. No message of it holds a value.
struct CredentialsFile {
    /// In the order of the file.
    private(set) var origins: [(origin: Origin, credentials: OriginCredentials)] = []

    /// Reads the text of a file. Throws what is wrong, naming the line, the origin and the key.
    init(path: String, bytes: [UInt8]) throws(ConfigurationError) {
        let file = try INIFile(path: path, bytes: bytes, hasInlineComments: false)
        var section: (name: String, line: Int, keys: Set<String>) = ("", 1, [])
        for entry in file.entries {
            if entry.section != section.name || origins.isEmpty {
                try checkLast(path, section.line)
                section = (entry.section, entry.line, [])
                origins.append((try Self.origin(entry, path), OriginCredentials()))
                if origins.dropLast().contains(where: { $0.origin == origins[origins.count - 1].origin }) {
                    throw Self.error(path, entry, key: "", "there is a section of that origin already")
                }
            }
            try take(entry, path, &section.keys)
        }
        try checkLast(path, section.line)
    }

    private static func origin(_ entry: INIFile.Entry, _ path: String) throws(ConfigurationError) -> Origin {
        if let origin = Origin(entry.section) { return origin }
        throw ConfigurationError(
            file: path, line: entry.line, key: "[\(URLMask.shown(entry.section))]",
            message: "a section is named by scheme, host and port, such as [https://webdav.example.org] or "
                + "[http://nas.local:8080], without a path")
    }

    private mutating func take(_ entry: INIFile.Entry, _ path: String, _ seen: inout Set<String>)
        throws(ConfigurationError)
    {
        guard let key = CredentialsKey.all.first(where: { $0.name == entry.name }) else {
            throw Self.error(
                path, entry,
                "unknown key; there are " + CredentialsKey.all.map(\.name).joined(separator: ", "))
        }
        if !key.isRepeatable, !seen.insert(entry.name).inserted {
            throw Self.error(path, entry, "is given twice")
        }
        if let allowed = key.apply(&origins[origins.count - 1].credentials, entry.value) {
            throw Self.error(path, entry, "takes \(allowed)")
        }
    }

    /// What only shows when a section is whole.
    private func checkLast(_ path: String, _ line: Int) throws(ConfigurationError) {
        guard let (origin, credentials) = origins.last else { return }
        let ways = [
            credentials.login.map { _ in "user and password" }, credentials.bearer.map { _ in "bearer" },
            credentials.tokenCommand.map { _ in "token_command" },
            credentials.headers.contains { $0.name.lowercased() == "authorization" }
                ? "header = Authorization" : nil,
        ].compactMap(\.self)
        var fault: String?
        if ways.count > 1 {
            fault = "has " + ways.joined(separator: " and ") + "; one of them is enough"
        } else if credentials.login?.user.isEmpty == true {
            fault = "has a password without a user"
        } else if credentials.isDigest, credentials.login == nil {
            fault = "has auth = digest without a user and password"
        } else if credentials.clientKey != nil, credentials.clientCertificate == nil {
            fault = "has a client_key without a client_certificate"
        }
        if let fault { throw ConfigurationError(file: path, line: line, key: "[\(origin)]", message: fault) }
    }

    private static func error(
        _ path: String, _ entry: INIFile.Entry, key: String? = nil, _ message: String
    ) -> ConfigurationError {
        let name = "[\(entry.section)] \(key ?? entry.name)"
        return ConfigurationError(
            file: path, line: entry.line, key: name.hasSuffix(" ") ? String(name.dropLast()) : name,
            message: message)
    }
}
