import Base
import CFFmpeg
import CLinux
import DecoderLink
import Glibc
import Sandbox

/// Decodes for the daemon what is not MPEG audio: a socket of messages on standard input, memory on standard output.
///
/// It sees no file and no network: bytes come by asking the daemon. Ends with 2 when a person runs it, 3 without a
/// sandbox.
@main
enum Main {
    /// Of address space, a third of which FFmpeg's libraries take by themselves.
    private static let memoryBytes = 640 << 20

    static func main() {
        jb_av_silence()
        guard CommandLine.arguments.count == 1, jb_end_with_parent() == 0,
            let memory = try? SharedMemory(STDOUT_FILENO)
        else {
            complain("jukebox-decoder is run by jukeboxd.")
            exit(2)
        }
        do throws(SystemError) {
            try Sandbox.enter(memoryBytes: memoryBytes)
        } catch {
            complain("jukebox-decoder: there is no sandbox: \(error)")
            exit(3)
        }
        Session(DaemonLink(STDIN_FILENO, memory)).run()
    }

    private static func complain(_ text: String) {
        _ = try? System.write(STDERR_FILENO, Array((text + "\n").utf8)[...])
    }
}
