/// Counts the values and levels of a message in one pass, without memory, and finds integers that are too
/// large for 64 bits.
///
/// It does not check the syntax: for what is no JSON the counts hold up to the first fault, which is as far
/// as the parser goes.
struct JSONScanner {
    private let limits: JSONLimits
    private var values = 0
    private var levels = 0
    /// Where integers end that do not fit in 64 bits.
    private(set) var oversizedEnds: [Int] = []

    /// Scans all bytes. Throws `limit` as soon as a limit is passed.
    init(_ bytes: Span<UInt8>, _ limits: JSONLimits) throws(JSONError) {
        self.limits = limits
        var index = 0
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\""):
                try countValue()
                index = JSONScanner.endOfString(bytes, after: index)
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                try countValue()
                try enter()
                index += 1
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                levels -= 1
                index += 1
            case UInt8(ascii: ":"):
                // What came before was a member's name.
                values -= 1
                index += 1
            case UInt8(ascii: ","), 0x20, 0x09, 0x0A, 0x0D:
                index += 1
            default:
                try countValue()
                index = scanWord(bytes, from: index)
            }
        }
        if values > limits.values { throw tooMany }
    }

    private mutating func countValue() throws(JSONError) {
        values += 1
        // One more, since the last may be a name whose colon is still to come.
        if values > limits.values + 1 { throw tooMany }
    }

    private mutating func enter() throws(JSONError) {
        levels += 1
        if levels > limits.levels {
            throw JSONError(kind: .limit, message: "more than \(limits.levels) levels of nesting")
        }
        if values > limits.values { throw tooMany }
    }

    private var tooMany: JSONError {
        JSONError(kind: .limit, message: "more than \(limits.values) values in one message")
    }

    private static func endOfString(_ bytes: Span<UInt8>, after start: Int) -> Int {
        var index = start + 1
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "\"") { return index + 1 }
            index += byte == UInt8(ascii: "\\") ? 2 : 1
        }
        return bytes.count
    }

    /// Skips a number or a literal.
    private mutating func scanWord(_ bytes: Span<UInt8>, from start: Int) -> Int {
        var index = start
        var isInteger = true
        scan: while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: ":"),
                UInt8(ascii: "\""),
                UInt8(ascii: "["), UInt8(ascii: "{"), 0x20, 0x09, 0x0A, 0x0D:
                break scan
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                break
            case UInt8(ascii: "-") where index == start:
                break
            default:
                isInteger = false
            }
            index += 1
        }
        // 18 digits always fit.
        if isInteger, index - start > 18, !JSONScanner.fits(bytes, start..<index) {
            oversizedEnds.append(index)
        }
        return index
    }

    private static func fits(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        var text: [UInt8] = []
        for index in range.prefix(32) { text.append(bytes[index]) }
        return range.count <= 32 && Int64(String(decoding: text, as: UTF8.self)) != nil
    }
}
