import Base
import CLinux
import Glibc

/// A FIFO whose reader comes and goes (fifo(7)). It is made by others: a file of that name is left alone.
///
/// Some readers, Snapcast's server among them, open it, find no writer, and close it again, over and over; so a
/// writer who wants to find a reader there never does. Until somebody reads, this is therefore a reader of its own,
/// with one frame of silence in the pipe: when that is gone, there is another.
final class FifoLine: BroadcastLine {
    private(set) var absence: String?
    private let path: String
    private let frameBytes: Int
    private let wantedBytes: Int
    private var file: FileDescriptor?
    /// Our own reading end, while nobody else is known to read.
    private var bait: FileDescriptor?
    private var triedAt = MonotonicTime(nanoseconds: 0)
    private static let patience = Duration.milliseconds(250)

    /// Opens nothing yet. The pipe is made to hold `wantedBytes` where it holds less.
    init(path: String, frameBytes: Int, wantedBytes: Int) {
        self.path = path
        self.frameBytes = frameBytes
        self.wantedBytes = wantedBytes
    }

    var isOpen: Bool { file != nil && bait == nil }

    var description: String { "FIFO \(path)" }

    func open() throws(SinkFailure) -> Bool {
        if file == nil { try layBait() }
        guard let number = file?.raw else { return false }
        if jb_unread(number) == 0 {
            bait = nil
            absence = nil
            return true
        }
        if absence == nil, .now - triedAt >= Self.patience { absence = "\(path): nobody reads it" }
        return false
    }

    func send(_ bytes: UnsafeRawBufferPointer) -> Int {
        guard let number = file?.raw else { return 0 }
        do throws(SystemError) {
            return try unsafe System.write(number, bytes) ?? 0
        } catch {
            close()
            absence = "\(path): its reader has gone"
            return 0
        }
    }

    func close() {
        file = nil
        bait = nil
        absence = nil
    }

    private static let notFifo = SystemError(code: 0, operation: "open")

    private func layBait() throws(SinkFailure) {
        guard absence == nil || .now - triedAt >= Self.patience else { return }
        triedAt = .now
        do throws(SystemError) {
            // Looked at first: to open a device can do things.
            var status = stat()
            try System.check("stat", path) { unsafe stat(path, &status) }
            guard status.st_mode & S_IFMT == S_IFIFO else { throw Self.notFifo }
            let reading = try System.open(path, O_RDONLY | O_NONBLOCK)
            try System.check("fstat", path) { unsafe fstat(reading.raw, &status) }
            guard status.st_mode & S_IFMT == S_IFIFO else { throw Self.notFifo }
            let writing = try System.open(path, O_WRONLY | O_NONBLOCK)
            enlarge(writing.raw)
            _ = try System.write(writing.raw, [UInt8](repeating: 0, count: frameBytes)[...])
            bait = consume reading
            file = consume writing
        } catch {
            absence = try reason(error)
        }
    }

    /// Throws what no reader that comes will change.
    private func reason(_ error: SystemError) throws(SinkFailure) -> String {
        switch error.code {
        case ENOENT: return "\(path): there is no such FIFO; its reader makes it"
        case ENXIO: return "\(path): nobody reads it"
        case 0: throw .gone("\(path) is not a FIFO")
        default: throw .gone("\(path): \(error.reason)")
        }
    }

    /// Linux says how much a pipe holds (F_GETPIPE_SZ), and takes a wish (F_SETPIPE_SZ).
    private func enlarge(_ number: Int32) {
        let (getSize, setSize): (Int32, Int32) = (1032, 1031)
        if jb_fcntl_int(number, getSize, 0) >= wantedBytes { return }
        _ = jb_fcntl_int(number, setSize, Int32(clamping: wantedBytes))
    }
}
