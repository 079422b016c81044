import Base
import CLinux
import Glibc

extension Installation {
    /// Goes on as a program that is installed with this one; returns only why that was not possible.
    static func become(_ name: String, _ arguments: [String]) -> String {
        guard let path = program(name) else {
            return "\(name) is not installed: neither \(places(ofProgram: name).joined(separator: " nor "))"
        }
        // Safe because exec(3) copies the words, or returns and they are freed.
        var words = unsafe ([name] + arguments).map { unsafe strdup($0) } + [nil]
        defer { for index in unsafe words.indices { unsafe free(words[index]) } }
        unsafe execv(path, &words)
        return "\(path) cannot be run: \(SystemError.reason(of: errno))"
    }
}
