import CLinux
import Glibc

/// JSON in the making: bytes of UTF-8 without a tree, for what is written often.
package struct JSONText: Equatable, Sendable {
    package private(set) var bytes: [UInt8]

    package init() { bytes = [] }

    /// Takes text that is JSON already.
    package init(raw: String) { bytes = Array(raw.utf8) }

    /// The JSON of a value.
    package init(_ value: some JSONRepresentable) {
        bytes = []
        value.write(to: &self)
    }

    /// The text as a string, for logs and tests.
    package var string: String { String(decoding: bytes, as: UTF8.self) }

    package static let null = JSONText(raw: "null")

    /// Appends text that is JSON or punctuation already.
    package mutating func append(raw text: StaticString) {
        // Safe because a static string's bytes live for ever.
        unsafe bytes.append(
            contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// True while there is nothing in it.
    package var isEmpty: Bool { bytes.isEmpty }

    /// Forgets the text, but keeps its memory up to that many bytes.
    package mutating func removeAll(keepingAtMost limit: Int) {
        bytes.removeAll(keepingCapacity: bytes.capacity <= limit)
    }

    /// Makes room for that many bytes.
    package mutating func reserve(_ count: Int) { bytes.reserveCapacity(count) }

    package mutating func append(_ other: JSONText) { bytes.append(contentsOf: other.bytes) }

    /// Appends bytes that are JSON already.
    package mutating func append(rawBytes other: [UInt8]) { bytes.append(contentsOf: other) }

    package mutating func append(_ value: some JSONRepresentable) { value.write(to: &self) }

    /// Appends a quoted string; control characters are escaped (RFC 8259, section 7).
    package mutating func append(string text: String) {
        var text = text
        bytes.append(UInt8(ascii: "\""))
        // Safe because the buffer is only read, within its bounds and for the length of the call.
        text.withUTF8 { utf8 in
            if unsafe utf8.contains(where: JSONText.needsEscape) {
                for byte in unsafe Array(utf8) { appendEscaped(byte) }
            } else {
                unsafe bytes.append(contentsOf: utf8)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Appends bytes of UTF-8 as a quoted string; what is none is repaired.
    package mutating func append(utf8 text: UnsafeRawBufferPointer) {
        guard unsafe text.allSatisfy({ $0 < 0x80 && !JSONText.needsEscape($0) }) else {
            return append(string: unsafe String(decoding: text, as: UTF8.self))
        }
        bytes.append(UInt8(ascii: "\""))
        unsafe bytes.append(contentsOf: text)
        bytes.append(UInt8(ascii: "\""))
    }

    private static func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private mutating func appendEscaped(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""): append(raw: "\\\"")
        case UInt8(ascii: "\\"): append(raw: "\\\\")
        case 0x0A: append(raw: "\\n")
        case 0x0D: append(raw: "\\r")
        case 0x09: append(raw: "\\t")
        case 0..<0x20:
            append(raw: "\\u00")
            let digits = Array("0123456789abcdef".utf8)
            bytes.append(digits[Int(byte >> 4)])
            bytes.append(digits[Int(byte & 15)])
        default: bytes.append(byte)
        }
    }

    /// Appends a number with at most 15 significant digits; what is not finite becomes null.
    package mutating func append(number value: Double) {
        guard value.isFinite else { return append(raw: "null") }
        // A whole number of so few digits reads the same, and is far quicker so; but for the sign of zero.
        if value.magnitude < 1e15, value != 0, value.rounded() == value {
            return append(number: Int64(value))
        }
        unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 32) { buffer in
            let count = unsafe Int(jb_format_double(buffer.baseAddress!, buffer.count, value))
            for index in 0..<min(count, 31) { unsafe bytes.append(UInt8(bitPattern: buffer[index])) }
        }
    }

    package mutating func append(number value: Int64) {
        var digits = InlineArray<20, UInt8>(repeating: 0)
        var rest = value.magnitude
        var start = digits.count
        repeat {
            start -= 1
            digits[start] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        } while rest > 0
        if value < 0 { bytes.append(UInt8(ascii: "-")) }
        for index in start..<digits.count { bytes.append(digits[index]) }
    }

    /// The text of an object, whose members `write` appends.
    package static func object(_ write: (inout JSONText) -> Void) -> JSONText {
        var text = JSONText()
        text.object(write)
        return text
    }

    /// Appends an object, whose members `write` appends.
    package mutating func object(_ write: (inout JSONText) -> Void) {
        append(raw: "{")
        write(&self)
        append(raw: "}")
    }

    /// Appends `"name":` of an object's member, after a comma unless it is the first.
    package mutating func member(_ name: String) {
        if bytes.last != UInt8(ascii: "{") { bytes.append(UInt8(ascii: ",")) }
        append(string: name)
        bytes.append(UInt8(ascii: ":"))
    }

    /// The same of a name that is known beforehand and needs no escaping, for what is written thousands of times.
    package mutating func key(_ name: StaticString) {
        append(raw: bytes.last == UInt8(ascii: "{") ? "\"" : ",\"")
        append(raw: name)
        append(raw: "\":")
    }

    /// Appends a number, or null.
    package mutating func append(number value: Int64?) {
        if let value { append(number: value) } else { append(raw: "null") }
    }

    /// Appends a number, or null.
    package mutating func append(number value: Double?) {
        if let value { append(number: value) } else { append(raw: "null") }
    }

    /// Appends true or false.
    package mutating func append(truth value: Bool) { append(raw: value ? "true" : "false") }

    /// Appends an object's member with its value.
    package mutating func member(_ name: String, _ value: some JSONRepresentable) {
        member(name)
        value.write(to: &self)
    }
}

/// A value that has a form in JSON.
package protocol JSONRepresentable {
    /// Appends the value's JSON.
    func write(to text: inout JSONText)
}

extension JSONText: JSONRepresentable {
    package func write(to text: inout JSONText) { text.append(self) }
}
extension String: JSONRepresentable {
    package func write(to text: inout JSONText) { text.append(string: self) }
}
extension Bool: JSONRepresentable {
    package func write(to text: inout JSONText) { text.append(raw: self ? "true" : "false") }
}
extension Int: JSONRepresentable {
    package func write(to text: inout JSONText) { text.append(number: Int64(self)) }
}
extension Int64: JSONRepresentable {
    package func write(to text: inout JSONText) { text.append(number: self) }
}
extension Double: JSONRepresentable {
    package func write(to text: inout JSONText) { text.append(number: self) }
}
extension Optional: JSONRepresentable where Wrapped: JSONRepresentable {
    package func write(to text: inout JSONText) {
        if let self { self.write(to: &text) } else { text.append(raw: "null") }
    }
}
extension Array: JSONRepresentable where Element: JSONRepresentable {
    package func write(to text: inout JSONText) {
        text.append(raw: "[")
        for (index, element) in enumerated() {
            if index > 0 { text.append(raw: ",") }
            element.write(to: &text)
        }
        text.append(raw: "]")
    }
}
