import Base
import Glibc
import Sandbox

/// `jukebox-picture EDGE < PICTURE > THUMBNAIL`: a picture made smaller, in a sandbox, for the daemon.
///
/// Ends with 0 when it printed one, 1 when the bytes are no picture it knows, 2 for wrong usage, 3 without a sandbox.
@main
enum Main {
    /// Enough for 60 megapixels beside its smaller copy.
    private static let memoryBytes = 512 << 20
    /// Longer bytes are no cover.
    private static let mostBytes = 32 << 20

    static func main() {
        guard CommandLine.arguments.count == 2, let edge = Int(CommandLine.arguments[1]),
            (16...4096).contains(edge)
        else {
            complain("usage: jukebox-picture EDGE < PICTURE > THUMBNAIL (EDGE: 16 to 4096 pixels)")
            exit(2)
        }
        do throws(SystemError) {
            try Sandbox.enter(memoryBytes: memoryBytes)
        } catch {
            complain("jukebox-picture: there is no sandbox: \(error)")
            exit(3)
        }
        guard let picture = try? StandardStreams.input(atMost: mostBytes),
            let thumbnail = Thumbnail.bytes(of: picture, edge: edge),
            (try? StandardStreams.write(thumbnail)) != nil
        else { exit(1) }
        exit(0)
    }

    private static func complain(_ text: String) {
        _ = try? StandardStreams.write(Array((text + "\n").utf8), to: STDERR_FILENO)
    }
}
