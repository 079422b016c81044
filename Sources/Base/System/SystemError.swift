import CLinux
import Glibc

/// A failed system call: its errno, the call, and what it was about.
package struct SystemError: Error, Equatable, CustomStringConvertible {
    package let code: Int32
    package let operation: String
    /// A path, an address or a purpose; empty where the operation says all.
    package let context: String

    package init(code: Int32, operation: String, context: String = "") {
        self.code = code
        self.operation = operation
        self.context = context
    }

    /// The system's words for `code`, such as "No such file or directory".
    package var reason: String { SystemError.reason(of: code) }

    package var description: String {
        context.isEmpty ? "\(operation): \(reason)" : "\(operation) \(context): \(reason)"
    }

    /// Returns the system's words for an errno.
    package static func reason(of code: Int32) -> String {
        // Safe because glibc's strerror_r fills and terminates the buffer it was given.
        unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { buffer in
            unsafe buffer.initialize(repeating: 0)
            _ = unsafe strerror_r(code, buffer.baseAddress!, buffer.count)
            return unsafe String(cString: buffer.baseAddress!)
        }
    }
}
