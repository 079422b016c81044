import Base
// For `stat`, which a release build finds in the module of whoever included <sys/stat.h> first.
import CLinux
import Glibc

/// A folder of pictures, as many and as large as is bearable: those that were not wanted for longest go first. A
/// thread that may wait for the disk.
struct PictureFolder: Sendable {
    let path: String
    let mostFiles: Int
    let mostBytes: Int

    /// The file of that name; nil when there is none. It counts as wanted just now.
    func existing(_ name: String) -> String? {
        let file = path + "/" + name
        guard unsafe access(file, R_OK) == 0 else { return nil }
        _ = unsafe utimensat(AT_FDCWD, file, nil, 0)
        return file
    }

    /// The first file whose name begins like that.
    func existing(beginning start: String) -> String? {
        OpenFolder.names(in: path).first { $0.hasPrefix(start) }.flatMap { existing($0) }
    }

    /// Writes a picture, whole or not at all, and returns its path. Throws what the disk says.
    func write(_ bytes: [UInt8], as name: String) throws(SystemError) -> String {
        try System.makeFolders(path)
        let part = "\(path)/.part-\(name)"
        let whole = "\(path)/\(name)"
        do throws(SystemError) {
            let file = try System.open(part, O_WRONLY | O_CREAT | O_TRUNC)
            try System.pwriteAll(file.raw, bytes, at: 0)
        } catch {
            _ = unsafe unlink(part)
            throw error
        }
        try System.check("rename", whole) { unsafe rename(part, whole) }
        prune(keeping: whole)
        return whole
    }

    private func prune(keeping kept: String) {
        var files: [(path: String, bytes: Int, time: Int)] = []
        for name in OpenFolder.names(in: path) where !name.hasPrefix(".") {
            var status = stat()
            let file = path + "/" + name
            if unsafe stat(file, &status) == 0 {
                files.append((file, Int(status.st_size), Int(status.st_mtim.tv_sec)))
            }
        }
        files.sort { $0.time > $1.time }
        var bytes = 0
        for (index, file) in files.enumerated() {
            bytes += file.bytes
            guard index >= mostFiles || bytes > mostBytes, file.path != kept else { continue }
            _ = unsafe unlink(file.path)
        }
    }
}
