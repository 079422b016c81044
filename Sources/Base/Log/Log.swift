import CLinux
import Glibc
import Synchronization

/// The process's log: one line a write to standard error, with journal priorities when journald reads it.
package enum Log {
    /// How grave a line is; the raw value is syslog's priority.
    package enum Level: Int, Comparable, CaseIterable, Sendable {
        case error = 3
        case warning = 4
        case info = 6
        case debug = 7

        package static func < (a: Level, b: Level) -> Bool { a.rawValue < b.rawValue }

        /// The name in configuration and in a line.
        package var name: String {
            switch self {
            case .error: "error"
            case .warning: "warning"
            case .info: "info"
            case .debug: "debug"
            }
        }

        /// The level of that name; nil for any other word.
        package init?(name: String) {
            guard let level = Level.allCases.first(where: { $0.name == name }) else { return nil }
            self = level
        }
    }

    private static let threshold = Atomic<Int>(Level.info.rawValue)

    /// The gravest level that is left out; any thread.
    package static func setLevel(_ level: Level) { threshold.store(level.rawValue, ordering: .relaxed) }

    package static func error(_ module: String, _ text: @autoclosure () -> String) {
        write(.error, module, text)
    }
    package static func warning(_ module: String, _ text: @autoclosure () -> String) {
        write(.warning, module, text)
    }
    package static func info(_ module: String, _ text: @autoclosure () -> String) {
        write(.info, module, text)
    }
    package static func debug(_ module: String, _ text: @autoclosure () -> String) {
        write(.debug, module, text)
    }

    /// True when standard error is the journal's socket (sd-daemon(3), JOURNAL_STREAM in systemd.exec(5)).
    private static let isJournal: Bool = {
        guard let stream = System.environment("JOURNAL_STREAM") else { return false }
        var status = stat()
        guard unsafe fstat(2, &status) == 0 else { return false }
        return stream == "\(status.st_dev):\(status.st_ino)"
    }()

    private static func write(_ level: Level, _ module: String, _ text: () -> String) {
        guard level.rawValue <= threshold.load(ordering: .relaxed) else { return }
        let prefix = isJournal ? "<\(level.rawValue)>" : level == .info ? "" : "\(level.name): "
        // A line break in a peer's text must not forge a line of its own.
        let body = text().replacing(where: { $0 == "\n" || $0 == "\r" }, with: " ")
        let line = "\(prefix)\(module): \(body)\n"
        _ = unsafe Array(line.utf8).withUnsafeBytes { unsafe Glibc.write(2, $0.baseAddress, $0.count) }
    }
}

extension String {
    /// The string with every character that matches replaced.
    package func replacing(where matches: (Character) -> Bool, with replacement: Character) -> String {
        String(map { matches($0) ? replacement : $0 })
    }
}
