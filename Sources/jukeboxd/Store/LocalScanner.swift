import Base
import Glibc
import Store
import Synchronization

/// Brings what lies in local folders into the catalogue, on a thread of its own; any thread may ask.
final class LocalScanner: Sendable {
    /// A scan that can be called off.
    final class Request: Sendable {
        let source: Int64
        let root: [UInt8]
        /// Folders in it that are to be read; none stand for all.
        let parts: [[UInt8]]
        private let isOff = Atomic(false)

        init(source: Int64, root: [UInt8], parts: [[UInt8]] = []) {
            self.source = source
            self.root = root
            self.parts = parts
        }

        /// Calls it off; any thread.
        func cancel() { isOff.store(true, ordering: .relaxed) }

        /// True once it was called off.
        var isCancelled: Bool { isOff.load(ordering: .relaxed) }
    }

    /// What is told meanwhile, on the scanner's thread or the catalogue's.
    struct Listener: Sendable {
        /// A folder is read: from here on it should be watched.
        var folder: @Sendable ([UInt8]) -> Void
        /// So many files were seen, of so many as there were before.
        var progress: @Sendable (_ seen: Int, _ known: Int) -> Void
        /// Something was written.
        var changed: @Sendable () -> Void
        var done: @Sendable (Result<Void, ScanFailure>) -> Void
    }

    /// Batches on their way to the disk.
    private static let mostBatches = 4

    private let catalogue: Catalogue
    private let jobs = JobQueue(name: "jb-scan", isBackground: true)

    init(catalogue: Catalogue) { self.catalogue = catalogue }

    /// Begins once what was asked before is done.
    func scan(_ request: Request, _ listener: Listener) {
        catalogue.write { [self] outcome in
            do throws(StoreError) {
                let known = try outcome.get().items.files(of: request.source)
                run(request, known, listener)
            } catch {
                listener.done(.failure(ScanFailure(error)))
            }
        }
    }

    private func run(_ request: Request, _ known: [String: KnownFile], _ listener: Listener) {
        do throws(SystemError) {
            try jobs.run { [catalogue] in
                let writing = ScanWriting(catalogue, request, listener, Backlog(most: Self.mostBatches))
                let scan = LocalScan(
                    known: known,
                    .init(
                        deliver: { writing.write($0) }, watch: listener.folder,
                        progress: { listener.progress($0, known.count) },
                        isCancelled: { request.isCancelled || writing.hasFailed }))
                var failure: SystemError?
                do throws(SystemError) {
                    try scan.run(request.root, parts: request.parts)
                } catch {
                    failure = error
                }
                writing.finish(failure.map { ScanFailure($0) })
            }
        } catch {
            listener.done(.failure(ScanFailure(error)))
        }
    }
}

/// Why a folder could not be brought in.
struct ScanFailure: Error, Sendable {
    let code: PlaybackFailure.Code
    let message: String
    /// True where the path names something else.
    let isNoFolder: Bool

    init(_ error: SystemError) {
        code = error.code == EACCES || error.code == EPERM ? .permission : .fileNotFound
        isNoFolder = error.code == ENOTDIR
        message = "The folder cannot be read: \(error.reason)."
    }

    init(_ error: StoreError) {
        code = .internal
        isNoFolder = false
        message = "The catalogue cannot be written: \(error)."
    }
}

/// Writes what a scan finds, in order. Scanner's thread; told of results on the catalogue's.
private final class ScanWriting: Sendable {
    private let catalogue: Catalogue
    private let request: LocalScanner.Request
    private let listener: LocalScanner.Listener
    private let backlog: Backlog
    private let failure = Guarded<StoreError?>(nil)

    init(
        _ catalogue: Catalogue, _ request: LocalScanner.Request, _ listener: LocalScanner.Listener,
        _ backlog: Backlog
    ) {
        self.catalogue = catalogue
        self.request = request
        self.listener = listener
        self.backlog = backlog
    }

    var hasFailed: Bool { failure.withLock { $0 != nil } }

    func write(_ batch: LocalScan.Batch) {
        backlog.enter()
        let source = request.source
        let time = Clocks.unixTime
        catalogue.change(
            { (file) throws(StoreError) in
                guard try file.sources.contains(source) else { return }
                for item in batch.new { _ = try file.items.insert(item, source: source, at: time) }
                for (id, item) in batch.changed { try file.items.update(id, item) }
                for id in batch.gone { try file.items.set(id, .gone) }
            },
            done: { [self] outcome in
                backlog.leave()
                switch outcome {
                case .success: listener.changed()
                case .failure(let error): failure.withLock { $0 = $0 ?? error }
                }
            })
    }

    /// Tells the end, once all is written.
    func finish(_ scanFailure: ScanFailure?) {
        catalogue.write { [self] _ in
            let written = failure.withLock { $0 }
            if let found = scanFailure ?? written.map({ ScanFailure($0) }) {
                listener.done(.failure(found))
            } else {
                listener.done(.success(()))
            }
        }
    }
}
