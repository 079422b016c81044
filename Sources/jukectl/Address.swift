import Base
import CLinux
import Glibc

/// What a person names to be played, as the daemon understands it from wherever it runs.
enum Address {
    /// A URL stays as it is; a path is made absolute, since the daemon has another working folder.
    static func resolve(_ text: String, in folder: String = workingFolder) -> String {
        if isURL(text) || text.hasPrefix("/") { return text }
        var path = text[...]
        while path.hasPrefix("./") { path = path.dropFirst(2) }
        return (folder.hasSuffix("/") ? folder : folder + "/") + path
    }

    /// True for `scheme:…` with a scheme of at least two letters, by RFC 3986, section 3.1; `a:b.mp3` is a file.
    static func isURL(_ text: String) -> Bool {
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return false }
        let scheme = text.utf8[..<colon]
        guard scheme.count >= 2, let first = scheme.first, isLetter(first) else { return false }
        let isScheme = scheme.allSatisfy {
            isLetter($0) || (0x30...0x39).contains($0) || [0x2B, 0x2D, 0x2E].contains($0)
        }
        let rest = text.utf8[colon...].dropFirst()
        return isScheme
            && (rest.starts(with: "//".utf8) || ["store", "file"].contains(String(text[..<colon])))
    }

    /// Where the shell is; "/" when it has gone.
    static var workingFolder: String {
        // Safe because getcwd(3) allocates the text that is freed here.
        guard let path = unsafe getcwd(nil, 0) else { return "/" }
        defer { unsafe free(path) }
        return unsafe String(cString: path)
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }
}
