import Base
import CLinux
import Decode
import Glibc

/// A file that is exported: bytes of the cache under a name of their own, whole or not at all. A thread that may wait
/// for disks.
struct ExportFile {
    /// Why there is no file.
    struct Failure: Error {
        let reason: String
    }

    private static let chunkBytes = 256 << 10
    /// The cache has all of it: what does not come in this time does not come.
    private static let patience = Duration.seconds(20)
    /// Names that are tried where one is taken.
    private static let mostNames = 1_000

    let folder: String
    let name: String

    /// Writes it and returns its path. An MPEG file without a title in its tag gets `tag` in its place; all else is
    /// copied with the tags that it has. Throws what kept it from being written.
    func write(_ bytes: any ByteSource, url: String, tag: [UInt8]) throws(Failure) -> String {
        let (plain, tagged) = ("\(folder)/.\(name).part", "\(folder)/.\(name).tagged")
        defer { for part in [plain, tagged] { _ = unsafe unlink(part) } }
        do throws(SystemError) {
            let ending = ExportName.ending(try copy(bytes, to: plain), url: url)
            guard let start = try Self.placeOfTag(plain) else { return try settle(plain, ending: ending) }
            try Self.join(tag, plain, from: start, to: tagged)
            return try settle(tagged, ending: ending)
        } catch {
            throw Failure(reason: "\(folder)/\(name) cannot be written: \(error.reason).")
        }
    }

    /// Copies all of it, and returns its first bytes.
    private func copy(_ bytes: any ByteSource, to path: String) throws(SystemError) -> [UInt8] {
        let file = try System.open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, mode: 0o644)
        let wake = WakePoint()
        bytes.setWakePoint(wake)
        defer { bytes.setWakePoint(nil) }
        let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.chunkBytes, alignment: 16)
        defer { unsafe chunk.deallocate() }
        var offset: Int64 = 0
        var head: [UInt8] = []
        while true {
            switch unsafe bytes.read(at: offset, into: chunk) {
            case .bytes(let count):
                if offset == 0 { unsafe head = Array(chunk.prefix(min(count, 16))) }
                try unsafe System.writeAll(file.raw, UnsafeRawBufferPointer(rebasing: chunk[..<count]))
                offset += Int64(count)
            case .wait:
                guard wake.wait(until: .now + Self.patience) else {
                    throw SystemError(code: ETIMEDOUT, operation: "read")
                }
            case .end: return head
            case .gone, .failed: throw SystemError(code: EIO, operation: "read")
            }
        }
    }

    /// Where the sound begins of an MPEG file that has no title in its tags; nil for one that stays as it is.
    private static func placeOfTag(_ path: String) throws(SystemError) -> Int64? {
        let file = try System.open(path, O_RDONLY | O_NOFOLLOW)
        var status = stat()
        try System.check("fstat", path) { unsafe fstat(file.raw, &status) }
        guard let found = FileTags(descriptor: file.raw, size: Int64(status.st_size)), found.tags.title == nil
        else { return nil }
        return FileTags.soundStart(descriptor: file.raw)
    }

    private static func join(_ tag: [UInt8], _ plain: String, from start: Int64, to path: String)
        throws(SystemError)
    {
        let source = try System.open(plain, O_RDONLY | O_NOFOLLOW)
        let file = try System.open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, mode: 0o644)
        try System.pwriteAll(file.raw, tag, at: 0)
        let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: chunkBytes, alignment: 16)
        defer { unsafe chunk.deallocate() }
        var offset: Int64 = 0
        while true {
            let count = try unsafe System.pread(source.raw, into: chunk, at: start + offset)
            guard count > 0 else { return }
            let bytes = unsafe UnsafeRawBufferPointer(rebasing: chunk[..<count])
            try unsafe System.pwriteAll(file.raw, bytes, at: Int64(tag.count) + offset)
            offset += Int64(count)
        }
    }

    /// Gives the file its name, or that with a number where there is one already; nothing is written over.
    private func settle(_ part: String, ending: String) throws(SystemError) -> String {
        for number in 1...Self.mostNames {
            let path = "\(folder)/\(name)\(number > 1 ? " (\(number))" : "")\(ending)"
            do throws(SystemError) {
                // The name is taken first: to rename would write over who has it.
                _ = try System.open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o644)
            } catch  where error.code == EEXIST {
                continue
            }
            try System.check("rename", path) { unsafe rename(part, path) }
            return path
        }
        throw SystemError(code: EEXIST, operation: "rename", context: name)
    }
}
