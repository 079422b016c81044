import Base
import CLinux
import Glibc

/// Tells when something changes in folders (inotify(7)). Folders are added from any thread; told on the control thread.
final class FolderWatch {
    private static let mask = UInt32(
        IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF | IN_ONLYDIR)
    /// Changes come in crowds: they are told together.
    private static let delay = Duration.seconds(1)

    /// The descriptor and what is watched: what the scanner's thread may touch.
    final class Door: Sendable {
        fileprivate struct Folder: Equatable {
            let source: Int64
            let path: [UInt8]
            /// The one file in it that is of interest; nil for all that sounds, and folders.
            let file: [UInt8]?
        }

        fileprivate let descriptor: FileDescriptor
        fileprivate let folders = Guarded<[Int32: [Folder]]>([:])

        fileprivate init() throws(SystemError) {
            descriptor = FileDescriptor(
                owning: try System.check("inotify_init1") { inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK)) })
        }

        /// Begins to watch a folder of a source, or one file in it; false where the system watches no more.
        @discardableResult func watch(_ path: [UInt8], file: [UInt8]? = nil, of source: Int64) -> Bool {
            let name = path.map { CChar(bitPattern: $0) } + [0]
            let number = unsafe inotify_add_watch(descriptor.raw, name, FolderWatch.mask)
            guard number >= 0 else { return errno != ENOSPC }
            let folder = Folder(source: source, path: path, file: file)
            folders.withLock { folders in
                // The system knows a folder once, however many sources it belongs to.
                if folders[number]?.contains(folder) != true { folders[number, default: []].append(folder) }
            }
            return true
        }
    }

    let door: Door
    private let loop: EventLoop
    private let changed: (_ source: Int64, _ folders: Set<[UInt8]>) -> Void
    private var pending: [Int64: Set<[UInt8]>] = [:]
    private var registration: EventLoop.Registration?

    /// `changed` is told which folders of a source are to be read anew; none stand for all. Throws where the system
    /// watches nothing.
    init(
        loop: EventLoop, changed: @escaping (_ source: Int64, _ folders: Set<[UInt8]>) -> Void
    ) throws(SystemError) {
        door = try Door()
        self.loop = loop
        self.changed = changed
        registration = try loop.add(door.descriptor.raw, .readable) { [unowned self] _ in read() }
    }

    /// Ends watching the folders of a source.
    func forget(_ source: Int64) {
        let numbers = door.folders.withLock { folders in
            for number in folders.keys { folders[number]?.removeAll { $0.source == source } }
            let numbers = folders.filter { $0.value.isEmpty }.map(\.key)
            for number in numbers { folders[number] = nil }
            return numbers
        }
        for number in numbers { inotify_rm_watch(door.descriptor.raw, number) }
        pending[source] = nil
    }

    // MARK: Events

    private func read() {
        unsafe withUnsafeTemporaryAllocation(byteCount: 16 << 10, alignment: 8) { buffer in
            while let count = try? unsafe System.read(door.descriptor.raw, into: buffer), count > 0 {
                unsafe take(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            }
        }
    }

    /// Each event is a watch, a mask, a cookie and the length of the name that follows, 32 bits each.
    private func take(_ bytes: UnsafeRawBufferPointer) {
        var index = 0
        while index + 16 <= bytes.count {
            let number = unsafe bytes.loadUnaligned(fromByteOffset: index, as: Int32.self)
            let mask = unsafe bytes.loadUnaligned(fromByteOffset: index + 4, as: UInt32.self)
            let length = unsafe Int(bytes.loadUnaligned(fromByteOffset: index + 12, as: UInt32.self))
            let end = min(bytes.count, index + 16 + length)
            let name = unsafe Array(bytes[(index + 16)..<end].prefix { $0 != 0 })
            take(number, mask, name)
            index = end
        }
    }

    private func take(_ number: Int32, _ mask: UInt32, _ name: [UInt8]) {
        if mask & UInt32(IN_Q_OVERFLOW) != 0 { return noteOverflow() }
        if mask & UInt32(IN_IGNORED) != 0 {
            door.folders.withLock { $0[number] = nil }
            return
        }
        for folder in door.folders.withLock({ $0[number] }) ?? [] where isOfInterest(name, mask, in: folder) {
            note(folder.source, folder.path)
        }
    }

    private func isOfInterest(_ name: [UInt8], _ mask: UInt32, in folder: Door.Folder) -> Bool {
        // One that is begun is read when it is whole.
        if let file = folder.file { return name == file && mask & UInt32(IN_CREATE) == 0 }
        let isFolder = mask & UInt32(IN_ISDIR | IN_DELETE_SELF) != 0
        let text = String(decoding: [UInt8(ascii: "/")] + name, as: UTF8.self)
        // A link may be one to a folder; only what is certainly of no interest is passed over.
        return name.first != UInt8(ascii: ".")
            && (isFolder || mask & UInt32(IN_CREATE) != 0 || MediaName.isSound(text))
    }

    private func noteOverflow() {
        let sources = door.folders.withLock { folders in Set(folders.values.joined().map(\.source)) }
        for source in sources { note(source, nil) }
    }

    private func note(_ source: Int64, _ path: [UInt8]?) {
        let isFirst = pending.isEmpty
        // All of it is due already where nothing is named.
        if pending[source]?.isEmpty != true {
            if let path { pending[source, default: []].insert(path) } else { pending[source] = [] }
        }
        guard isFirst else { return }
        loop.schedule(after: Self.delay) { [weak self] in self?.tell() }
    }

    private func tell() {
        let due = pending
        pending = [:]
        for (source, folders) in due { changed(source, folders.count > 64 ? [] : Self.outermost(folders)) }
    }

    /// Without those that lie in others.
    private static func outermost(_ folders: Set<[UInt8]>) -> Set<[UInt8]> {
        folders.filter { path in
            !folders.contains { $0 != path && path.starts(with: $0 + [UInt8(ascii: "/")]) }
        }
    }
}
