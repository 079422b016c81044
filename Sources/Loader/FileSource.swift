import Base
import CLinux
import Glibc

/// A local file, read with pread by the decode thread.
///
/// The file is opened by a thread of its own, since a network mount may take seconds for that; until then reads
/// say `wait`.
final class FileSource: ByteSource {
    /// A descriptor that a read under way keeps open, so that `close` need not wait for a slow disk.
    private final class OpenFile: Sendable {
        let descriptor: FileDescriptor
        let length: Int64

        init(_ descriptor: consuming FileDescriptor, length: Int64) {
            self.descriptor = descriptor
            self.length = length
        }
    }

    private struct State {
        var file: OpenFile?
        var information: ContentInformation?
        var failure: PlaybackFailure?
        var wakePoint: WakePoint?
    }

    /// To be shown.
    private let path: String
    private let bytes: [UInt8]
    private let state = Guarded(State())

    init(path bytes: [UInt8]) {
        self.bytes = bytes
        path = String(decoding: bytes, as: UTF8.self)
    }

    /// Opens the file and tells what came of it; the thread that may block.
    func open(_ events: @Sendable (SourceEvent) -> Void) {
        do {
            let file = try Self.openFile(bytes, shown: path)
            let information = ContentInformation(length: file.length, isSeekable: true, isLocal: true)
            finish { state in
                guard state.failure == nil else { return }
                state.file = file
                state.information = information
            }
            events(.information(information))
            let whole = [0..<file.length]
            events(.progress(LoadProgress(receivedBytes: file.length, ranges: whole, isComplete: true)))
        } catch {
            finish { $0.failure = $0.failure ?? error }
            events(.failed(error))
        }
    }

    private func finish(_ change: (inout State) -> Void) {
        let point = state.withLock { state in
            change(&state)
            return state.wakePoint
        }
        point?.signal()
    }

    private static func openFile(_ bytes: [UInt8], shown path: String) throws(PlaybackFailure) -> OpenFile {
        do throws(SystemError) {
            // O_NONBLOCK, or a FIFO would hold the thread until somebody writes to it.
            let file = try System.open(bytes, O_RDONLY | O_NONBLOCK | O_NOCTTY)
            var status = stat()
            try System.check("fstat", path) { unsafe fstat(file.raw, &status) }
            switch status.st_mode & S_IFMT {
            case S_IFREG: break
            case S_IFDIR: throw SystemError(code: EISDIR, operation: "open", context: path)
            default: throw SystemError(code: ESPIPE, operation: "open", context: path)
            }
            guard status.st_size > 0 else {
                throw SystemError(code: ENODATA, operation: "open", context: path)
            }
            return OpenFile(file, length: Int64(status.st_size))
        } catch {
            throw failure(error, path)
        }
    }

    private static func failure(_ error: SystemError, _ path: String) -> PlaybackFailure {
        switch error.code {
        case ENOENT, ENOTDIR, ENXIO: PlaybackFailure(.fileNotFound, "There is no file \(path).")
        case EACCES, EPERM: PlaybackFailure(.permission, "The file \(path) may not be read by this user.")
        case EISDIR: PlaybackFailure(.unsupportedFormat, "\(path) is a folder, not a file.")
        case ESPIPE: PlaybackFailure(.unsupportedFormat, "\(path) is not a regular file.")
        case ENODATA: PlaybackFailure(.empty, "The file \(path) is empty.")
        case ENAMETOOLONG, ELOOP: PlaybackFailure(.fileNotFound, "\(path): \(error.reason).")
        default: PlaybackFailure(.internal, "The file \(path) cannot be opened: \(error.reason).")
        }
    }

    // MARK: ByteSource

    var information: ContentInformation? { state.withLock { $0.information } }

    func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) -> ReadOutcome {
        let (file, failure) = state.withLock { ($0.file, $0.failure) }
        if let failure { return .failed(failure) }
        guard let file else { return .wait }
        do throws(SystemError) {
            let count = try unsafe System.pread(file.descriptor.raw, into: buffer, at: max(0, offset))
            return count > 0 ? .bytes(count) : .end
        } catch {
            return .failed(
                PlaybackFailure(.incomplete, "The file \(path) cannot be read on: \(error.reason)."))
        }
    }

    func bytesAvailable(from offset: Int64) -> Int64 {
        max(0, (information?.length ?? 0) &- max(0, offset))
    }

    func takeMetadata(upTo offset: Int64) -> [TimedMetadata] { [] }

    func setWakePoint(_ point: WakePoint?) { state.withLock { $0.wakePoint = point } }

    func close() {
        finish { state in
            state.file = nil
            state.information = nil
            state.failure = PlaybackFailure(.internal, "The file \(path) was closed.")
        }
    }
}
