import Base
import Terminal

/// Turns pictures into lines of text, by chafa, on a thread of its own, one after the other.
final class Picturing: Sendable {
    private static let timeLimit = Duration.seconds(10)
    private static let outputLimit = 256 << 10

    private let program: String
    private let done: EventDescriptor
    private let queue = JobQueue(name: "jb-picture")
    private let made = Guarded<PictureView?>(nil)

    /// Nil where chafa is not installed.
    init?() {
        guard let program = Desktop.find("chafa"), program.hasPrefix("/") else { return nil }
        do throws(SystemError) {
            done = try EventDescriptor()
        } catch {
            return nil
        }
        self.program = program
    }

    /// Readable when a picture is made.
    var descriptor: Int32 { done.raw }

    /// Begins to make the lines of a picture from a file.
    func make(_ picture: PictureView, from path: String) {
        // Without colours what comes is text alone, and looks the same on every terminal.
        let words = [
            program, "--format", "symbols", "--colors", "none", "--animate", "off", "--size",
            "\(picture.size.columns)x\(picture.size.rows)", path,
        ]
        try? queue.run { [self] in
            let output = try? ChildProcess.output(
                of: words, input: [], within: Picturing.timeLimit, atMost: Picturing.outputLimit)
            var whole = picture
            whole.lines = Picturing.lines(output ?? [], atMost: picture.size.rows)
            let result = whole
            made.withLock { $0 = result }
            done.signal()
        }
    }

    /// The picture that was made last; nil when it was taken.
    func take() -> PictureView? {
        done.clear()
        return made.withLock { view in
            defer { view = nil }
            return view
        }
    }

    /// Lines of text, whatever was printed.
    static func lines(_ output: [UInt8], atMost rows: Int) -> [String] {
        String(decoding: output, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
            .prefix(rows)
            .map { line in
                let scalars = line.unicodeScalars.filter {
                    $0.value >= 0x20 && !(0x7F..<0xA0).contains($0.value)
                }
                return String(String.UnicodeScalarView(scalars))
            }
    }
}
