import Base

/// What a command of the configuration said: a line with a token or a URL, and how long that is good for.
struct CommandAnswer: Equatable, Sendable {
    let value: String
    /// Nil when it did not say.
    let lifetime: Duration?

    /// Reads a program's output: the value on its first line, then perhaps a line `expires_in=SECONDS`; nil when the
    /// first is empty or holds a blank or control character.
    init?(_ output: [UInt8]) {
        let lines = String(decoding: output, as: UTF8.self).split(whereSeparator: \.isNewline)
            .map { $0.drop(while: \.isWhitespace) }
        guard let first = lines.first else { return nil }
        value = String(first.reversed().drop(while: \.isWhitespace).reversed())
        guard !value.isEmpty, value.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7f }) else { return nil }
        lifetime = lines.dropFirst().first { $0.hasPrefix("expires_in=") }
            .flatMap { Double($0.dropFirst(11).prefix { !$0.isWhitespace }) }
            .flatMap { $0 >= 0 ? Duration.seconds(clamping: $0) : nil }
    }
}
