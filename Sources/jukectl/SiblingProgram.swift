import Base
import CLinux
import Glibc

/// A program that is installed with this one.
enum SiblingProgram {
    /// Goes on as that program, which lies beside this one or in libexec; returns only why that was not possible.
    static func become(_ name: String, _ arguments: [String]) -> String {
        let paths = places.map { "\($0)/\(name)" }
        for path in paths where unsafe access(path, X_OK) == 0 {
            // Safe because exec(3) copies the words, or returns and they are freed.
            var words = unsafe ([name] + arguments).map { unsafe strdup($0) } + [nil]
            defer { for index in unsafe words.indices { unsafe free(words[index]) } }
            unsafe execv(path, &words)
            return "\(path) cannot be run: \(SystemError.reason(of: errno))"
        }
        return "\(name) is not installed: neither \(paths.joined(separator: " nor "))"
    }

    /// The folder of this program, and what `make install` uses for programs that are not called by people.
    private static var places: [String] {
        var bytes = [CChar](repeating: 0, count: 4096)
        let count = unsafe readlink("/proc/self/exe", &bytes, bytes.count)
        guard count > 0, count < bytes.count else { return [] }
        let path = String(decoding: bytes[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let folder = path.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" }
        let prefix = path.split(separator: "/").dropLast(2).reduce("") { "\($0)/\($1)" }
        return [folder, "\(prefix)/libexec/jukeboxd"]
    }
}
