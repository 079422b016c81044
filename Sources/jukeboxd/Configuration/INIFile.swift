import Base
import CInih
import CLinux
import Glibc

/// An INI file read by inih: its entries in order, each with its line.
struct INIFile {
    struct Entry: Equatable {
        let section: String
        let name: String
        let value: String
        let line: Int
    }

    /// What inih's callbacks share: lines still to be given out, and entries taken.
    private final class Parse {
        var lines: [ArraySlice<UInt8>]
        var lineNumber = 0
        var tooLong: Int?
        var entries: [Entry] = []
        /// The section whole: inih cuts its name after 49 bytes, and at the first bracket.
        var section = ""

        init(_ bytes: [UInt8]) {
            lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            lines.reverse()
        }

        /// Copies the next line into inih's buffer; false at the end.
        func next(into buffer: UnsafeMutableBufferPointer<CChar>) -> Bool {
            guard let line = lines.popLast() else { return false }
            lineNumber += 1
            if line.count >= buffer.count - 1, tooLong == nil { tooLong = lineNumber }
            section = INIFile.section(line) ?? section
            // A NUL would end the line for C; as a blank it stays a visible mistake.
            var count = 0
            for byte in line.prefix(buffer.count - 1) {
                unsafe buffer[count] = CChar(bitPattern: byte == 0 ? 0x20 : byte)
                count += 1
            }
            unsafe buffer[count] = 0
            return true
        }
    }

    let path: String
    let entries: [Entry]

    /// Reads a file of at most 1 MiB. Throws a `ConfigurationError` that names the file and the line.
    init(path: String) throws(ConfigurationError) {
        do {
            try self.init(path: path, bytes: System.contents(of: path, limit: 1 << 20))
        } catch let error as SystemError {
            throw ConfigurationError(file: path, message: "cannot be read: \(error.reason)")
        } catch let error as ConfigurationError {
            throw error
        } catch {
            throw ConfigurationError(file: path, message: "cannot be read")
        }
    }

    /// Parses the text of a file. Without `hasInlineComments` a value goes on over a blank and a `;`.
    init(path: String, bytes: [UInt8], hasInlineComments: Bool = true) throws(ConfigurationError) {
        self.path = path
        let parse = Parse(bytes)
        // Safe because `parse` outlives the call that uses the pointer.
        let pointer = unsafe Unmanaged.passUnretained(parse).toOpaque()
        let code = withExtendedLifetime(parse) {
            unsafe jb_ini_parse(
                { buffer, size, stream in
                    guard let buffer = unsafe buffer, let stream = unsafe stream, size > 1 else { return nil }
                    let parse = unsafe Unmanaged<Parse>.fromOpaque(stream).takeUnretainedValue()
                    let room = unsafe UnsafeMutableBufferPointer(start: buffer, count: Int(size))
                    return unsafe parse.next(into: room) ? buffer : nil
                },
                unsafe pointer,
                { user, section, name, value in
                    guard let user = unsafe user, unsafe section != nil, let name = unsafe name,
                        let value = unsafe value
                    else { return 0 }
                    let parse = unsafe Unmanaged<Parse>.fromOpaque(user).takeUnretainedValue()
                    unsafe parse.entries.append(
                        Entry(
                            section: parse.section, name: String(cString: name),
                            value: String(cString: value), line: parse.lineNumber))
                    return 1
                }, unsafe pointer, hasInlineComments ? 1 : 0)
        }
        if let line = parse.tooLong {
            throw ConfigurationError(file: path, line: line, message: "the line is longer than 8190 bytes")
        }
        if code > 0 {
            throw ConfigurationError(
                file: path, line: Int(code), message: "neither a [section], nor key = value, nor a comment")
        }
        if code < 0 { throw ConfigurationError(file: path, message: "not enough memory to read it") }
        entries = parse.entries
    }

    /// The section that a line begins, up to its last bracket before a comment; nil when it begins none.
    private static func section(_ line: ArraySlice<UInt8>) -> String? {
        let text = String(decoding: line, as: UTF8.self).drop { $0 == " " || $0 == "\t" || $0 == "\u{FEFF}" }
        guard text.first == "[" else { return nil }
        var end: Substring.Index?
        var before: Character = "["
        for index in text.indices {
            if text[index] == "]" { end = index }
            if text[index] == ";" || text[index] == "#", before == " " || before == "\t" { break }
            before = text[index]
        }
        return end.map { String(text[text.index(after: text.startIndex)..<$0]) }
    }
}
