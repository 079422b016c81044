/// The entries of a `.netrc` file (ftp(1), and as curl reads it): a login for a host.
///
/// `default` is left out, since it would give a password to every host there is, and macros are skipped.
package struct Netrc: Equatable, Sendable {
    struct Entry: Equatable, Sendable {
        /// In lower case, with a port where the file names one.
        let host: String
        let login: OriginCredentials.Login
    }

    let entries: [Entry]

    /// Reads the text of a file; what cannot be understood is skipped.
    package init(_ text: String) {
        var words = Self.words(text)[...]
        var entries: [Entry] = []
        var host: String?
        var login = OriginCredentials.Login(user: "", password: "")
        func end() {
            guard let host, !login.user.isEmpty || !login.password.isEmpty else { return }
            entries.append(Entry(host: host.lowercased(), login: login))
        }
        while let word = words.popFirst() {
            switch word {
            case "machine", "default":
                end()
                host = word == "machine" ? words.popFirst() : nil
                login = OriginCredentials.Login(user: "", password: "")
            case "login": login.user = words.popFirst() ?? ""
            case "password": login.password = words.popFirst() ?? ""
            case "account": words = words.dropFirst()
            default: break
            }
        }
        end()
        self.entries = entries
    }

    /// Words between blanks, `"quoted"` ones with their escapes undone; without comments and macros.
    private static func words(_ text: String) -> [String] {
        var words: [String] = []
        var isMacro = false
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            if line.allSatisfy(\.isWhitespace) { isMacro = false }
            guard !isMacro else { continue }
            var rest = line.drop(while: \.isWhitespace)
            if rest.first == "#" { continue }
            while !rest.isEmpty {
                let word = next(&rest)
                if word == "macdef" {
                    isMacro = true
                    break
                }
                words.append(word)
                rest = rest.drop(while: \.isWhitespace)
            }
        }
        return words
    }

    private static func next(_ rest: inout Substring) -> String {
        guard rest.first == "\"" else {
            let word = rest.prefix { !$0.isWhitespace }
            rest = rest.dropFirst(word.count)
            return String(word)
        }
        rest.removeFirst()
        var word = ""
        while let character = rest.popFirst(), character != "\"" {
            guard character == "\\", let escaped = rest.popFirst() else {
                word.append(character)
                continue
            }
            word.append(escaped == "n" ? "\n" : escaped == "r" ? "\r" : escaped == "t" ? "\t" : escaped)
        }
        return word
    }
}
