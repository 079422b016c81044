import CUTF8Proc

/// Text as search compares it: case, accents, compatibility forms and look-alikes of punctuation folded, white space
/// as single spaces. Pure; any thread.
package enum FoldedText {
    /// The folded text; folding it again changes nothing.
    package static func folded(_ text: some StringProtocol) -> String {
        var text = String(text)
        let plain: [UInt8]? = text.withUTF8 { utf8 in
            unsafe utf8.allSatisfy { $0 < 0x80 } ? unsafe Array(utf8) : nil
        }
        return plain.map { line($0.lazy.map(lowered)) } ?? line(replaced(mapped(text)))
    }

    private static func lowered(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }

    private static func mapped(_ text: String) -> [UInt8] {
        var text = text
        return text.withUTF8 { utf8 in
            var result: UnsafeMutablePointer<UInt8>?
            let count = unsafe jb_fold(utf8.baseAddress, utf8.count, &result)
            defer { unsafe free(result) }
            // Out of memory, or longer than the library takes: the text stands for itself.
            guard count >= 0, let bytes = unsafe result else { return unsafe Array(utf8) }
            // Safe because the library gives so many bytes, which are copied before they are freed.
            return unsafe Array(UnsafeBufferPointer(start: bytes, count: count))
        }
    }

    /// Letters that people type without their stroke, though Unicode knows no accent in them.
    private static let strokes: [UInt16: String] = [
        0xC3A6: "ae", 0xC3B0: "d", 0xC3B8: "o", 0xC3BE: "th", 0xC491: "d", 0xC4A7: "h", 0xC4B1: "i",
        0xC582: "l",
        0xC593: "oe", 0xC5A7: "t",
    ]

    private static func replaced(_ bytes: [UInt8]) -> [UInt8] {
        guard bytes.contains(where: { (0xC3...0xC5).contains($0) }) else { return bytes }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            if index + 1 < bytes.count,
                let plain = strokes[UInt16(bytes[index]) << 8 | UInt16(bytes[index + 1])]
            {
                result += plain.utf8
                index += 2
            } else {
                result.append(bytes[index])
                index += 1
            }
        }
        return result
    }

    /// White space and control characters as single spaces, none at either end.
    private static func line(_ bytes: some Sequence<UInt8>) -> String {
        var result: [UInt8] = []
        for byte in bytes {
            if byte > 0x20, byte != 0x7F {
                result.append(byte)
            } else if let last = result.last, last != 0x20 {
                result.append(0x20)
            }
        }
        if result.last == 0x20 { result.removeLast() }
        return String(decoding: result, as: UTF8.self)
    }
}
