import Base
import Decode
import Glibc
import Loader

/// Finds pictures and makes them smaller. Threads of its own, which wait for disks, servers and the helper.
final class PictureFinder: Sendable {
    /// Longer bytes are no cover.
    private static let mostBytes = 16 << 20
    /// A server that takes longer is left.
    private static let patience = Duration.seconds(20)
    /// Pixels along the longer edge of a thumbnail.
    private static let edge = 320
    private static let helperLimit = Duration.seconds(20)

    private let loader: Loader
    private let full: PictureFolder
    private let thumbs: PictureFolder
    /// A server that is slow keeps every second picture waiting, not all.
    private let jobs = [JobQueue(name: "jb-pictures"), JobQueue(name: "jb-pictures2")]
    /// What nobody waits for keeps nobody waiting.
    private let background = JobQueue(name: "jb-covers")
    /// Pictures that are fetched now, with who waits for them.
    private let underWay = Guarded<[String: [WakePoint]]>([:])
    /// Pictures that could not be had: they are not tried again until somebody asks.
    private let missing = Guarded<Set<String>>([])
    private static let mostMissing = 5_000

    /// Files lie in `pictures` in the cache folder.
    init(cacheFolder: String, loader: Loader) {
        self.loader = loader
        full = PictureFolder(path: cacheFolder + "/pictures/full", mostFiles: 2_000, mostBytes: 256 << 20)
        thumbs = PictureFolder(path: cacheFolder + "/pictures/thumb", mostFiles: 4_000, mostBytes: 64 << 20)
    }

    /// Finds a picture; `done` is told its file, or nil where there is none, on a thread of the finder.
    func find(
        _ wish: PictureWish, _ size: PictureSize, inBackground: Bool = false,
        _ done: @escaping @Sendable (String?) -> Void
    ) {
        let queue = inBackground ? background : jobs[Int(wish.id & 1)]
        let isAccepted: Void? = try? queue.run { [self] in
            for place in wish.places {
                guard let file = whole(place, inBackground: inBackground) else { continue }
                return done(size == .full ? file : thumbnail(of: file) ?? file)
            }
            done(nil)
        }
        if isAccepted == nil { done(nil) }
    }

    // MARK: As it came

    private func whole(_ place: PictureWish.Place, inBackground: Bool) -> String? {
        switch place {
        case .file(let path): return unsafe access(path, R_OK) == 0 ? path : nil
        case .tag(let path):
            return inTag(of: path).flatMap { kept($0, as: PictureFiles.digest($0)) }
                ?? PictureFiles.find(beside: path)
        case .remote(let url, let headers, let mayLead):
            let key = ([url] + headers.flatMap { [$0.0, $0.1] }).joined(separator: "\n")
            let name = "url-" + String(FNV1a.hash(Array(key.utf8)), radix: 16)
            if let file = full.existing(beginning: name + ".") { return file }
            if inBackground, missing.withLock({ $0.contains(name) }) { return nil }
            return once(name) { fetched(url, headers, mayLead).flatMap { kept($0, as: name) } }
        }
    }

    /// Fetches a picture, or waits until who does so already has it.
    private func once(_ name: String, _ fetch: () -> String?) -> String? {
        let point = WakePoint()
        let isFirst = underWay.withLock { waiting in
            defer { waiting[name, default: []].append(point) }
            return waiting[name] == nil
        }
        if !isFirst {
            point.wait(until: .now + Self.patience)
            return full.existing(beginning: name + ".")
        }
        defer { for point in underWay.withLock({ $0.removeValue(forKey: name) ?? [] }) { point.signal() } }
        // It may have come since it was looked for.
        let found = full.existing(beginning: name + ".") ?? fetch()
        missing.withLock { missing in
            if missing.count > Self.mostMissing { missing = [] }
            if found == nil { missing.insert(name) } else { missing.remove(name) }
        }
        return found
    }

    private func inTag(of path: String) -> [UInt8]? {
        guard let file = try? System.open(path, O_RDONLY) else { return nil }
        return FileTags.picture(descriptor: file.raw)?.bytes
    }

    private func kept(_ bytes: [UInt8], as name: String) -> String? {
        guard let ending = PictureFiles.ending(of: bytes) else { return nil }
        if let file = full.existing(name + ending) { return file }
        do throws(SystemError) {
            return try full.write(bytes, as: name + ending)
        } catch {
            Log.warning("artwork", "a picture cannot be written: \(error)")
            return nil
        }
    }

    private func fetched(_ url: String, _ headers: [(String, String)], _ mayLead: Bool) -> [UInt8]? {
        let source = loader.open(
            url: url, headers: headers, mayLeadToThisMachine: mayLead, document: DocumentEdition(),
            events: { _ in })
        defer { source.close() }
        return source.contents(atMost: Self.mostBytes, until: .now + Self.patience)
    }

    // MARK: Made smaller

    private func thumbnail(of file: String) -> String? {
        guard let bytes = try? System.contents(of: file, limit: Self.mostBytes) else { return nil }
        let name = PictureFiles.digest(bytes)
        if let known = thumbs.existing(name + ".jpg") ?? thumbs.existing(name + ".png") { return known }
        guard let program = Installation.program("jukebox-picture") else {
            Log.warning("artwork", "jukebox-picture is not installed: pictures are given as they are")
            return nil
        }
        do throws(ChildProcess.Failure) {
            let small = try ChildProcess.output(
                of: [program, String(Self.edge)], input: bytes, within: Self.helperLimit,
                atMost: Self.mostBytes)
            guard let ending = PictureFiles.ending(of: small) else { return nil }
            return try? thumbs.write(small, as: name + ending)
        } catch {
            Log.warning("artwork", "\(file) cannot be made smaller: jukebox-picture \(error)")
            return nil
        }
    }
}
