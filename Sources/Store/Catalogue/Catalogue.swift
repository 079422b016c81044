import Base
import Glibc
import Synchronization

/// The catalogue on two threads: one writes, the other answers meanwhile from a connection of its own. Any thread
/// may ask; nobody waits.
package final class Catalogue: Sendable {
    /// What is told of the file where it cannot be used.
    package typealias Outcome<Value> = Result<Value, StoreError>

    /// What is open; each touched on its own thread only.
    // Safe because only jobs of the one queue read or write `file`, and only jobs of the other `reader`.
    private final class Place: @unchecked Sendable {
        var file: CatalogueFile?
        var reader: CatalogueReader?
    }

    private let folder: String
    private let writing = JobQueue(name: "jb-catalogue", isBackground: true)
    private let searching = JobQueue(name: "jb-search")
    private let place = Place()
    private let isOpen = Atomic(false)

    /// Names the folder; nothing is touched yet.
    package init(folder: String) { self.folder = folder }

    /// True when there is a file of it from before.
    package var isKept: Bool { unsafe access("\(folder)/\(CatalogueFile.name)", F_OK) == 0 }

    /// Does something with the file on its thread, behind all that was given before; opens it, if it must.
    package func write(_ body: @escaping @Sendable (Outcome<CatalogueFile>) -> Void) {
        run(writing, { body(.failure($0)) }) { [self] in body(opened()) }
    }

    /// Does something in one transaction; `done` is told on the catalogue's thread.
    package func change<Value: Sendable>(
        _ body: @escaping @Sendable (CatalogueFile) throws(StoreError) -> Value,
        done: @escaping @Sendable (Outcome<Value>) -> Void
    ) {
        write { outcome in
            do throws(StoreError) {
                let file = try outcome.get()
                var value: Value?
                try file.transaction { () throws(StoreError) in value = try body(file) }
                if let value { done(.success(value)) }
            } catch {
                self.dropDamaged(error)
                done(.failure(error))
            }
        }
    }

    /// Takes a document's items in, batch by batch, so that others get their turn in between; `progress` is told after
    /// each, on the catalogue's thread.
    package func refresh(
        _ refresh: CatalogueRefresh, progress: @escaping @Sendable (CatalogueRefresh) -> Void,
        done: @escaping @Sendable (Outcome<CatalogueRefresh.Outcome>) -> Void
    ) {
        write { outcome in
            var refresh = refresh
            do throws(StoreError) {
                if try refresh.step(try outcome.get()) { return done(.success(refresh.outcome)) }
                progress(refresh)
                self.refresh(refresh, progress: progress, done: done)
            } catch {
                self.dropDamaged(error)
                done(.failure(error))
            }
        }
    }

    /// Removes sources with all their items, one after the other and a part at a time.
    package func remove(_ sources: [Int64], done: @escaping @Sendable (Outcome<Void>) -> Void) {
        write { outcome in
            do throws(StoreError) {
                guard let source = sources.first else { return done(.success(())) }
                let isGone = try outcome.get().removePart(of: source)
                self.remove(isGone ? Array(sources.dropFirst()) : sources, done: done)
            } catch {
                self.dropDamaged(error)
                done(.failure(error))
            }
        }
    }

    /// Reads on the thread for that, also while something is written.
    package func read(_ body: @escaping @Sendable (Outcome<CatalogueReader>) -> Void) {
        guard isOpen.load(ordering: .acquiring) else {
            // The file may have to be made first.
            return write { outcome in
                switch outcome {
                case .success: self.read(body)
                case .failure(let error): body(.failure(error))
                }
            }
        }
        run(searching, { body(.failure($0)) }) { [self] in body(reader()) }
    }

    /// Ends: what was given is written, the file is closed. Waits for that, up to the deadline.
    package func close(within limit: Duration) {
        let done = WakePoint()
        let end = MonotonicTime.now + limit
        run(writing, { _ in done.signal() }) { [self] in
            place.file = nil
            done.signal()
        }
        done.wait(until: end)
    }

    // MARK: Steps

    private func opened() -> Outcome<CatalogueFile> {
        if let file = place.file { return .success(file) }
        do throws(StoreError) {
            let file = try CatalogueFile.open(folder: folder)
            place.file = file
            isOpen.store(true, ordering: .releasing)
            return .success(file)
        } catch {
            return .failure(error)
        }
    }

    private func reader() -> Outcome<CatalogueReader> {
        if let reader = place.reader { return .success(reader) }
        do throws(StoreError) {
            let reader = try CatalogueReader(folder: folder)
            place.reader = reader
            return .success(reader)
        } catch {
            return .failure(error)
        }
    }

    /// A damaged file is set aside when it is opened the next time.
    private func dropDamaged(_ error: StoreError) {
        guard error.isDamage else { return }
        place.file = nil
        isOpen.store(false, ordering: .releasing)
        run(searching, { _ in }) { [self] in place.reader = nil }
    }

    private func run(
        _ queue: JobQueue, _ failed: @escaping (StoreError) -> Void, _ job: @escaping @Sendable () -> Void
    ) {
        do throws(SystemError) {
            try queue.run(job)
        } catch {
            failed(
                StoreError(code: error.code, message: error.reason, operation: "start the catalogue's thread")
            )
        }
    }
}
