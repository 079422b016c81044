import Base
import Glibc

/// The store in a terminal: what `jukectl browse` becomes.
@main
enum JukeboxBrowse {
    static func main() {
        var arguments = CommandLine.arguments.dropFirst()
        var socket: String?
        if arguments.first == "--socket", arguments.count == 2 {
            socket = arguments.last
            arguments = []
        }
        guard arguments.isEmpty else { end("usage: jukebox-browse [--socket PATH]; keys: ?", 2) }
        guard isatty(0) == 1, isatty(1) == 1 else { end("it needs a terminal", 2) }
        guard let wake = Wake() else { end("there are no descriptors left", 1) }
        guard let screen = Screen() else {
            end("this terminal cannot show it (TERM=\(System.environment("TERM") ?? ""))", 1)
        }
        Browser(screen: screen, wake: wake, link: Link(socket: socket)).run()
        screen.close()
    }

    private static func end(_ message: String, _ status: Int32) -> Never {
        let bytes = Array("jukebox-browse: \(message)\n".utf8)
        _ = unsafe bytes.withUnsafeBytes { unsafe write(2, $0.baseAddress, $0.count) }
        exit(status)
    }
}
