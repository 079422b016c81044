/// The attributes of a tag (RFC 8216, section 4.2): `NAME=value,NAME="value"`.
struct AttributeList {
    private var values: [String: String] = [:]

    init(_ text: some StringProtocol) {
        var rest = Substring(text)
        while let equals = rest.firstIndex(of: "=") {
            let name = rest[..<equals].drop { $0 == " " || $0 == "," }
            rest = rest[rest.index(after: equals)...]
            let value: Substring
            if rest.first == "\"" {
                rest = rest.dropFirst()
                value = rest.prefix { $0 != "\"" }
                rest = rest.dropFirst(value.count + 1)
            } else {
                value = rest.prefix { $0 != "," }
                rest = rest.dropFirst(value.count)
            }
            values[String(name)] = String(value)
        }
    }

    subscript(name: String) -> String? { values[name] }

    /// Bytes that are written as `0x…`; nil when they are not that many.
    func bytes(_ name: String, count: Int) -> [UInt8]? {
        guard let text = self[name]?.lowercased(), text.hasPrefix("0x") else { return nil }
        let digits = Array(text.utf8.dropFirst(2)).map { Character(Unicode.Scalar($0)).hexDigitValue }
        guard digits.count <= 2 * count, !digits.contains(nil) else { return nil }
        let whole = [Int](repeating: 0, count: 2 * count - digits.count) + digits.compactMap(\.self)
        return stride(from: 0, to: whole.count, by: 2).map { UInt8(whole[$0] << 4 | whole[$0 + 1]) }
    }
}
