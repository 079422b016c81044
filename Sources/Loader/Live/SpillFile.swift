import Base
import CLinux
import Glibc

/// A ring of bytes by offset in a file without a name, which is gone with its owner; never synced.
struct SpillFile {
    /// The descriptor, with identity: a job that writes must not meet a file that was begun anew.
    final class Storage: Sendable {
        let descriptor: FileDescriptor
        let capacity: Int64

        init(_ descriptor: consuming FileDescriptor, capacity: Int64) {
            self.descriptor = descriptor
            self.capacity = capacity
        }

        /// Writes bytes to their places. Throws what pwrite(2) says, ENOSPC above all.
        func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(SystemError) {
            var done = 0
            while done < bytes.count {
                let place = (offset &+ Int64(done)) % capacity
                let part = min(bytes.count - done, Int(capacity - place))
                let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[done..<done + part])
                done += try System.check("pwrite") {
                    unsafe pwrite(descriptor.raw, rest.baseAddress, rest.count, off_t(place))
                }
            }
        }
    }

    /// What is copied at a time.
    static let chunkBytes = 256 << 10

    let file: Storage
    /// The offsets that can be read.
    private(set) var range: Range<Int64> = 0..<0

    /// Makes a file in the first of the folders that takes one. Throws what the last of them said.
    init(in folders: [String], bytes: Int64) throws(SystemError) {
        var reason = SystemError(code: ENOENT, operation: "open")
        for folder in folders {
            do throws(SystemError) {
                let descriptor = try Self.unnamed(in: folder)
                // A full disk harms others more than a shorter way back harms anybody.
                let half = jb_free_bytes(descriptor.raw) / 2
                guard half >= 8 << 20 else {
                    throw SystemError(code: ENOSPC, operation: "open", context: folder)
                }
                let least = Int64(4 * Self.chunkBytes)
                file = Storage(descriptor, capacity: max(least, min(bytes, half)))
                return
            } catch {
                reason = error
            }
        }
        throw reason
    }

    private static func unnamed(in folder: String) throws(SystemError) -> FileDescriptor {
        do throws(SystemError) {
            return try System.open(folder, O_RDWR | jb_unnamed_file())
        } catch  where error.code == EOPNOTSUPP || error.code == EISDIR || error.code == EINVAL {
            // Some file systems know no file without a name: one that loses it at once is the same.
            let path = "\(folder)/.jukeboxd-\(getpid())-\(UInt64.random(in: 0...UInt64.max))"
            let descriptor = try System.open(path, O_RDWR | O_CREAT | O_EXCL)
            unsafe unlink(path)
            return descriptor
        }
    }

    /// Begins with that offset, empty.
    mutating func begin(at offset: Int64) { range = offset..<offset }

    /// Gives up the oldest bytes where the next ones will be written.
    mutating func makeRoom(for bytes: Int) {
        let lowest = range.upperBound &+ Int64(bytes) &- file.capacity
        if range.lowerBound < lowest { range = min(lowest, range.upperBound)..<range.upperBound }
    }

    /// Notes that the next bytes are written.
    mutating func extend(by bytes: Int) { range = range.lowerBound..<range.upperBound &+ Int64(bytes) }

    /// Reads from an offset within the range; 0 when the disk fails.
    func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let place = offset % file.capacity
        let count = min(Int64(buffer.count), file.capacity - place, range.upperBound - offset)
        guard count > 0 else { return 0 }
        let part = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[..<Int(count)])
        do throws(SystemError) {
            return try unsafe System.pread(file.descriptor.raw, into: part, at: place)
        } catch {
            Log.warning("loader", "what was kept of a live stream cannot be read: \(error)")
            return 0
        }
    }
}
