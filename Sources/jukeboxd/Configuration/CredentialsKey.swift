import Glibc
import Loader

/// A key of `credentials.conf` and how it takes a value.
struct CredentialsKey {
    let name: String
    var isRepeatable = false
    /// Puts a value in; returns what is allowed when the value is not.
    let apply: (inout OriginCredentials, String) -> String?

    /// Every key, in the order of `etc/credentials.conf`.
    static var all: [CredentialsKey] {
        [
            CredentialsKey(name: "user") { credentials, value in
                guard isPrintable(value), !value.contains(":") else { return "a name without a colon" }
                credentials.login = .init(user: value, password: credentials.login?.password ?? "")
                return nil
            },
            CredentialsKey(name: "password") { credentials, value in
                guard isPrintable(value) else { return "text without control characters" }
                credentials.login = .init(user: credentials.login?.user ?? "", password: value)
                return nil
            },
            CredentialsKey(name: "auth") { credentials, value in
                guard value == "basic" || value == "digest" else { return "basic or digest" }
                credentials.isDigest = value == "digest"
                return nil
            },
            text("bearer", \.bearer, allowed: "a token without blanks") { !$0.contains(" ") },
            CredentialsKey(name: "header", isRepeatable: true) { credentials, value in
                guard let colon = value.firstIndex(of: ":"),
                    Loader.maySend(header: String(value[..<colon])), isPrintable(value)
                else {
                    return
                        "\"Name: value\", of a header that the loader does not set itself (as it does Range)"
                }
                let rest = value[value.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
                credentials.headers.append(.init(String(value[..<colon]), String(rest)))
                return nil
            },
            text("user_agent", \.userAgent), text("referer", \.referer),
            file("client_certificate", \.clientCertificate), file("client_key", \.clientKey),
            command("token_command", \.tokenCommand), command("resolver_command", \.resolverCommand),
        ]
    }

    private static func text(
        _ name: String, _ field: WritableKeyPath<OriginCredentials, String?>,
        allowed: String = "text without control characters",
        _ check: @escaping (String) -> Bool = { _ in true }
    ) -> CredentialsKey {
        CredentialsKey(name: name) { credentials, value in
            guard isPrintable(value), check(value) else { return allowed }
            credentials[keyPath: field] = value
            return nil
        }
    }

    private static func file(_ name: String, _ field: WritableKeyPath<OriginCredentials, String?>)
        -> CredentialsKey
    {
        CredentialsKey(name: name) { credentials, value in
            guard value.hasPrefix("/"), unsafe access(value, R_OK) == 0 else {
                return "the absolute path of a file that can be read"
            }
            credentials[keyPath: field] = value
            return nil
        }
    }

    private static func command(_ name: String, _ field: WritableKeyPath<OriginCredentials, [String]?>)
        -> CredentialsKey
    {
        CredentialsKey(name: name) { credentials, value in
            let words = value.split(whereSeparator: { $0 == " " || $0 == "\t" }).map(String.init)
            guard let program = words.first, program.hasPrefix("/"), words.allSatisfy(isPrintable),
                unsafe access(program, X_OK) == 0
            else { return "the absolute path of a program that can be run, and its arguments" }
            credentials[keyPath: field] = words
            return nil
        }
    }

    private static func isPrintable(_ value: String) -> Bool {
        !value.isEmpty && value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f }
    }
}
