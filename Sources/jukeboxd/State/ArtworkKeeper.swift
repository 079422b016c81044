import Base
// For `stat`, which a release build finds in the module of whoever included <sys/stat.h> first.
import CLinux
import Glibc
import Loader
import Player

/// The current item's picture as a file: from its tags, else from its folder. Control thread; the disk is
/// touched on the files' thread.
final class ArtworkKeeper {
    /// Files that are kept, and their bytes in all: the oldest go first.
    private static let mostFiles = 100
    private static let mostBytes = 64 << 20
    private static let names = ["cover", "folder", "front", "album", "albumart"]
    private static let endings = [".jpg", ".jpeg", ".png", ".webp", ".gif"]
    /// A folder with more than that is not an album's.
    private static let mostEntries = 5_000

    private let folder: String
    private let files: JobQueue
    private unowned let player: Player
    private let mailbox: Mailbox<(token: Int, path: String?)>
    private var lastToken: Int?

    /// Files lie in `artwork` in the cache folder. Throws when there are no descriptors left.
    init(
        cacheFolder: String, files: JobQueue, player: Player, loop: EventLoop, table: PropertyTable
    ) throws(SystemError) {
        folder = cacheFolder + "/artwork"
        self.files = files
        self.player = player
        mailbox = try Mailbox()
        try mailbox.deliver(on: loop) { [unowned player] in player.setArtwork($0.path, for: $0.token) }
        table.atEndOfWritingTurn { [unowned self] in look() }
    }

    private func look() {
        guard let source = player.artworkSource, source.token != lastToken else { return }
        lastToken = source.token
        let place = Loader.path(of: source.url)
        guard source.picture != nil || place != nil else { return }
        _ = try? files.run { [folder, mailbox] in
            var path = source.picture.flatMap { Self.write($0, to: folder) }
            if path == nil, let place { path = Self.find(beside: place) }
            if path != nil { mailbox.post((source.token, path)) }
        }
    }

    // MARK: Files, on their thread

    /// Writes a picture's bytes as they came, named by them; nil when that does not work.
    private static func write(_ picture: Tags.Picture, to folder: String) -> String? {
        guard !picture.bytes.isEmpty else { return nil }
        makeFolder(folder)
        let path = "\(folder)/\(digest(picture.bytes))\(ending(picture.mediaType))"
        var status = stat()
        if unsafe stat(path, &status) == 0, Int(status.st_size) == picture.bytes.count {
            _ = unsafe utimensat(AT_FDCWD, path, nil, 0)
            return path
        }
        do throws(SystemError) {
            let part = folder + "/.part"
            let file = try System.open(part, O_WRONLY | O_CREAT | O_TRUNC)
            let fd = file.raw
            var failure: SystemError?
            unsafe picture.bytes.withUnsafeBytes { buffer in
                do throws(SystemError) { try unsafe System.writeAll(fd, buffer) } catch { failure = error }
            }
            if let failure { throw failure }
            try System.check("rename", path) { unsafe rename(part, path) }
        } catch {
            Log.warning("artwork", "a picture cannot be written: \(error)")
            return nil
        }
        prune(folder, keeping: path)
        return path
    }

    private static func prune(_ folder: String, keeping kept: String) {
        var files: [(path: String, bytes: Int, time: Int)] = []
        for name in list(folder) where !name.hasPrefix(".") {
            var status = stat()
            let path = folder + "/" + name
            if unsafe stat(path, &status) == 0 {
                files.append((path, Int(status.st_size), Int(status.st_mtim.tv_sec)))
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

    /// The picture of a file's folder, by its usual names.
    private static func find(beside path: String) -> String? {
        guard let slash = path.lastIndex(of: "/") else { return nil }
        let folder = String(path[..<slash])
        let files = list(folder)
        for name in names {
            for ending in endings {
                if let found = files.first(where: { $0.lowercased() == name + ending }) {
                    return folder + "/" + found
                }
            }
        }
        return nil
    }

    private static func list(_ folder: String) -> [String] {
        guard let directory = unsafe opendir(folder) else { return [] }
        defer { unsafe closedir(directory) }
        var names: [String] = []
        while names.count < mostEntries, let entry = unsafe readdir(directory) {
            names.append(
                unsafe withUnsafePointer(to: &entry.pointee.d_name) { field in
                    unsafe field.withMemoryRebound(to: CChar.self, capacity: 256) {
                        unsafe String(cString: $0)
                    }
                })
        }
        return names
    }

    private static func makeFolder(_ folder: String) {
        var path = ""
        for part in folder.split(separator: "/") {
            path += "/" + part
            _ = unsafe mkdir(path, 0o700)
        }
    }

    /// A hash and the length: enough to tell covers apart.
    private static func digest(_ bytes: [UInt8]) -> String {
        String(FNV1a.hash(bytes), radix: 16) + "-" + String(bytes.count, radix: 16)
    }

    private static func ending(_ mediaType: String) -> String {
        switch mediaType {
        case "image/jpeg", "image/jpg": ".jpg"
        case "image/png": ".png"
        case "image/gif": ".gif"
        case "image/webp": ".webp"
        default: ""
        }
    }
}
