/// Base64 (RFC 4648, section 4).
package enum Base64 {
    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// The bytes as text, padded.
    package static func encoded(_ bytes: some Collection<UInt8>) -> String {
        var result: [UInt8] = []
        var rest = Array(bytes)[...]
        while !rest.isEmpty {
            let part = rest.prefix(3)
            rest = rest.dropFirst(3)
            let bits = part.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - part.count))
            for place in 0..<4 {
                result.append(place <= part.count ? digits[bits >> (18 - 6 * place) & 63] : UInt8(ascii: "="))
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// The bytes of a text, with or without its padding; nil when it holds anything else.
    package static func decoded(_ text: some StringProtocol) -> [UInt8]? {
        var result: [UInt8] = []
        var bits = 0
        var count = 0
        var body = Array(text.utf8)[...]
        while body.last == UInt8(ascii: "=") { body.removeLast() }
        for byte in body {
            guard let digit = digits.firstIndex(of: byte) else { return nil }
            bits = bits << 6 | digit
            count += 6
            if count >= 8 {
                count -= 8
                result.append(UInt8(bits >> count & 255))
                bits &= (1 << count) - 1
            }
        }
        return body.count % 4 == 1 ? nil : result
    }
}
