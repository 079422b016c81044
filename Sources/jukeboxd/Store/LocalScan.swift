import Base
import Decode
import Glibc
import Store

/// Goes through a local folder and tells what the catalogue does not have yet, or has otherwise. Runs on a thread that
/// may wait for the disk.
///
/// A file whose time and size are the same is not opened. Hidden names are left out; a folder is entered once, however
/// many links lead to it; what vanishes meanwhile is not there; what cannot be read keeps its items.
final class LocalScan {
    /// What is to be written together.
    struct Batch: Sendable {
        var new: [ItemToKeep] = []
        var changed: [(id: Int64, item: ItemToKeep)] = []
        var gone: [Int64] = []

        var count: Int { new.count + changed.count + gone.count }
    }

    /// What the one who asked does.
    struct Surroundings {
        /// Takes a batch; may wait.
        var deliver: (Batch) -> Void
        /// Told of each folder before it is read, by its path.
        var watch: ([UInt8]) -> Void
        /// Told from time to time how many files were seen.
        var progress: (Int) -> Void
        /// True when nobody wants it any more.
        var isCancelled: () -> Bool
    }

    private static let batchSize = 500
    private static let deepest = 64

    private let known: [String: KnownFile]
    private let around: Surroundings
    private var batch = Batch()
    private var entered: Set<OpenFolder.Identity> = []
    /// Items that are still there.
    private var seen: Set<Int64> = []
    /// Folders that could not be read, and so say nothing of what is in them.
    private var unreadable: [String] = []
    private var count = 0
    /// Files that are gone, by their time and size: what appears elsewhere may be one of them. Made when it is needed.
    private lazy var missing = findMissing()

    /// `known`: what the catalogue has below the folder, by path.
    init(known: [String: KnownFile], _ around: Surroundings) {
        self.known = known
        self.around = around
    }

    /// Reads the folder, or only those parts of it. Throws what is wrong with the folder itself.
    func run(_ root: [UInt8], parts: [[UInt8]] = []) throws(SystemError) {
        let folder = try OpenFolder(path: root)
        if parts.isEmpty {
            try read(folder, root, depth: 0)
        } else {
            for part in parts {
                enter(part, depth: 1) { () throws(SystemError) in try OpenFolder(path: part) }
            }
        }
        guard !around.isCancelled() else { return }
        let read = parts.map { LocalPath.text($0) + "/" }
        for (path, file) in known where !file.isGone && !seen.contains(file.id) && !isUnreadable(path) {
            guard read.isEmpty || read.contains(where: { path.hasPrefix($0) }) else { continue }
            batch.gone.append(file.id)
            deliver(atLeast: Self.batchSize)
        }
        deliver(atLeast: 1)
    }

    // MARK: Folders

    private func read(_ folder: OpenFolder, _ path: [UInt8], depth: Int) throws(SystemError) {
        guard depth < Self.deepest, let identity = folder.status?.identity, entered.insert(identity).inserted,
            !around.isCancelled()
        else { return }
        around.watch(path)
        var folders: [[UInt8]] = []
        for entry in try folder.entries() where entry.name.first != UInt8(ascii: ".") {
            switch entry.kind {
            case .folder: folders.append(entry.name)
            case .file: readFile(entry.name, folder, path)
            case .link, .unknown:
                if folder.status(of: entry.name)?.isFolder == true {
                    folders.append(entry.name)
                } else {
                    readFile(entry.name, folder, path)
                }
            case .other: break
            }
        }
        for name in folders {
            enter(path + [UInt8(ascii: "/")] + name, depth: depth + 1) { () throws(SystemError) in
                try OpenFolder(name, in: folder)
            }
        }
    }

    private func enter(_ path: [UInt8], depth: Int, _ open: () throws(SystemError) -> OpenFolder) {
        do throws(SystemError) {
            try read(try open(), path, depth: depth)
        } catch {
            if error.code != ENOENT { unreadable.append(LocalPath.text(path) + "/") }
        }
    }

    private func isUnreadable(_ path: String) -> Bool {
        !unreadable.isEmpty && unreadable.contains { path.hasPrefix($0) }
    }

    // MARK: Files

    private func readFile(_ name: [UInt8], _ folder: OpenFolder, _ path: [UInt8]) {
        guard MediaName.isSound(String(decoding: [UInt8(ascii: "/")] + name, as: UTF8.self)),
            let status = folder.status(of: name), status.isFile
        else { return }
        let text = LocalPath.text(path + [UInt8(ascii: "/")] + name)
        let stamp = FileStamp(time: status.modified, size: status.size)
        count += 1
        if count.isMultiple(of: Self.batchSize) { around.progress(count) }
        let file = known[text]
        if let file, file.stamp == stamp, !file.isGone {
            seen.insert(file.id)
            return
        }
        var tags: FileTags?
        do throws(SystemError) {
            let descriptor = try folder.openFile(name)
            tags = FileTags(descriptor: descriptor.raw, size: status.size)
        } catch {
            // It is listed by its name: it may be readable when it is played.
            if error.code == ENOENT { return }
        }
        let item = ItemToKeep(LocalItem.published(text, stamp, tags), stamp: stamp)
        if let id = file?.id ?? takeMissing(stamp) {
            seen.insert(id)
            batch.changed.append((id, item))
        } else {
            batch.new.append(item)
        }
        deliver(atLeast: Self.batchSize)
    }

    /// The item of a file that was moved here: it had the same time and size, and is not where it was.
    private func takeMissing(_ stamp: FileStamp) -> Int64? {
        guard !known.isEmpty, let candidates = missing[stamp] else { return nil }
        return candidates.first { !seen.contains($0) }
    }

    private func findMissing() -> [FileStamp: [Int64]] {
        var found: [FileStamp: [Int64]] = [:]
        for (path, file) in known where file.isGone || !Self.exists(path) {
            found[file.stamp, default: []].append(file.id)
        }
        return found
    }

    private static func exists(_ path: String) -> Bool {
        guard let bytes = LocalPath.bytes(path) else { return false }
        return OpenFolder.exists(bytes)
    }

    private func deliver(atLeast least: Int) {
        guard batch.count >= least else { return }
        around.deliver(batch)
        batch = Batch()
    }
}
