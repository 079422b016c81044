import CLinux
import Glibc

/// The charset of text that is not UTF-8.
package enum Charset: Equatable, Sendable {
    /// ISO 8859-1, read as windows-1252, which has letters where Latin-1 has control characters.
    case latin1
    /// A name that iconv(3) knows.
    case named(String)

    /// The charset of that name; nil when it is not known.
    package init?(name: String) {
        let lower = name.lowercased()
        guard !["latin1", "latin-1", "iso-8859-1", "iso8859-1", "windows-1252", "cp1252"].contains(lower)
        else {
            self = .latin1
            return
        }
        guard !name.isEmpty, name.utf8.count <= 64, Self.convert([], from: name) != nil else { return nil }
        self = .named(name)
    }

    /// The text as it is shown: valid UTF-8 is UTF-8, else this charset; control characters become spaces.
    package func shown(_ bytes: ArraySlice<UInt8>) -> String {
        var text = decoded(bytes)
        if text.unicodeScalars.contains(where: Self.isControl) {
            var scalars = String.UnicodeScalarView()
            for scalar in text.unicodeScalars { scalars.append(Self.isControl(scalar) ? " " : scalar) }
            text = String(scalars)
        }
        return text
    }

    private func decoded(_ bytes: ArraySlice<UInt8>) -> String {
        let bytes = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? bytes.dropFirst(3) : bytes
        if let text = String(validating: bytes, as: UTF8.self) ?? Self.cutUTF8(bytes) { return text }
        if case .named(let name) = self, let text = Self.convert(Array(bytes), from: name) { return text }
        return LegacyText.windows1252(bytes)
    }

    /// UTF-8 whose last character was cut, as titles of a fixed size are; nil for what is no such thing, and where
    /// nothing before the cut tells it from a charset of single bytes.
    private static func cutUTF8(_ bytes: ArraySlice<UInt8>) -> String? {
        let tail = bytes.suffix(3)
        guard let lead = tail.lastIndex(where: { $0 >= 0xc0 }) else { return nil }
        let whole = bytes[lead] >= 0xf0 ? 4 : bytes[lead] >= 0xe0 ? 3 : 2
        guard bytes.endIndex - lead < whole, bytes[(lead + 1)...].allSatisfy({ $0 & 0xc0 == 0x80 }),
            bytes[..<lead].contains(where: { $0 >= 0x80 })
        else { return nil }
        return String(validating: bytes[..<lead], as: UTF8.self)
    }

    /// The text of bytes of this charset, whatever they look like; nil when they are not of it.
    package func text(of bytes: [UInt8]) -> String? {
        switch self {
        case .latin1: LegacyText.windows1252(bytes)
        case .named(let name): Self.convert(bytes, from: name)
        }
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || (0x7f...0x9f).contains(scalar.value)
    }

    /// Converts to UTF-8; nil when the charset is not known or the bytes are not of it.
    private static func convert(_ bytes: [UInt8], from name: String) -> String? {
        guard let converter = unsafe jb_iconv_open(name) else { return nil }
        defer { unsafe jb_iconv_close(converter) }
        // Four bytes for each is the most that any charset's character becomes in UTF-8.
        var output = [UInt8](repeating: 0, count: bytes.count * 4 + 16)
        let written = unsafe bytes.withUnsafeBytes { input in
            unsafe output.withUnsafeMutableBytes { output in
                unsafe jb_iconv(converter, input.baseAddress, input.count, output.baseAddress, output.count)
            }
        }
        return written < 0 ? nil : String(validating: output[..<written], as: UTF8.self)
    }
}
