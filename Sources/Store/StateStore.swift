import Base

/// The database on its own thread: changes are written in the order in which they were given, those that
/// wait together in one transaction.
package final class StateStore: Sendable {
    /// What is done to the file, on the store thread.
    package typealias Change = @Sendable (StateFile) throws(StoreError) -> Void

    /// What the store tells, on its own thread.
    package enum Event: Sendable {
        /// Every change up to that number is in the file.
        case saved(Int64)
        /// Changes were lost: what is to be kept must be written anew, whole, by `rewrite`.
        case failed(StoreError)
    }

    /// The file while it is open; nil before and when it cannot be used. Touched on the store thread only.
    // Safe because only jobs of the one queue read or write it.
    private final class Place: @unchecked Sendable {
        var file: StateFile?
        /// True when changes were lost and only `rewrite` helps.
        var isBehind = false
    }

    private let folder: String
    private let jobs = JobQueue(name: "jb-store")
    private let waiting = Guarded<[(number: Int64, change: Change, isWhole: Bool)]>([])
    private let place = Place()
    private let tell: @Sendable (Event) -> Void

    /// Names the folder; nothing is touched yet. `tell` is called on the store thread.
    package init(folder: String, tell: @escaping @Sendable (Event) -> Void) {
        self.folder = folder
        self.tell = tell
    }

    /// Opens the file and reads from it; waits for that. Throws what is wrong with it.
    package func open<Value: Sendable>(
        _ read: @escaping @Sendable (StateFile) throws(StoreError) -> Value
    ) throws(StoreError) -> Value {
        let answer = Guarded<Result<Value, StoreError>?>(nil)
        let done = WakePoint()
        try run { [self] in
            let result: Result<Value, StoreError>
            do throws(StoreError) {
                let file = try StateFile.open(folder: folder)
                place.file = file
                result = .success(try read(file))
            } catch {
                place.isBehind = true
                result = .failure(error)
            }
            answer.withLock { $0 = result }
            done.signal()
        }
        while true {
            done.wait()
            if let result = answer.withLock({ $0 }) { return try result.get() }
        }
    }

    /// Writes a change in its turn; `number` is told when it is in the file.
    package func write(_ number: Int64, _ change: @escaping Change) { add(number, change, isWhole: false) }

    /// Writes everything that is to be kept, after changes were lost; opens the file anew if it must.
    package func rewrite(_ number: Int64, _ change: @escaping Change) { add(number, change, isWhole: true) }

    /// Reads, behind all changes given before. Nil when there is no file to read from.
    package func read(_ body: @escaping @Sendable (StateFile?) -> Void) {
        _ = try? run { [self] in body(place.isBehind ? nil : place.file) }
    }

    /// Ends: what was given is written, the file is closed. Waits for that, up to the deadline.
    package func close(within limit: Duration) {
        let done = WakePoint()
        let end = MonotonicTime.now + limit
        guard
            (try? run { [self] in
                place.file = nil; done.signal()
            }) != nil
        else { return }
        done.wait(until: end)
    }

    // MARK: Steps

    private func add(_ number: Int64, _ change: @escaping Change, isWhole: Bool) {
        let isFirst = waiting.withLock { list in
            list.append((number, change, isWhole))
            return list.count == 1
        }
        guard isFirst else { return }
        do throws(StoreError) {
            try run { [self] in writeWaiting() }
        } catch {
            tell(.failed(error))
        }
    }

    private func writeWaiting() {
        let changes = waiting.withLock { list in
            defer { list = [] }
            return list
        }
        guard let last = changes.last else { return }
        do throws(StoreError) {
            try apply(changes.map { ($0.change, $0.isWhole) })
            tell(.saved(last.number))
        } catch {
            place.isBehind = true
            if error.isDamage { place.file = nil }
            tell(.failed(error))
        }
    }

    private func apply(_ changes: [(change: Change, isWhole: Bool)]) throws(StoreError) {
        if place.isBehind {
            // What was written half is not trusted: the tables are read again before all is written anew.
            guard changes.contains(where: \.isWhole) else {
                throw StoreError(code: 0, message: "waits for everything", operation: "write")
            }
            place.file = nil
            place.file = try StateFile.open(folder: folder)
        }
        guard let file = place.file else {
            throw StoreError(code: 0, message: "is not open", operation: "write")
        }
        let first = changes.lastIndex(where: \.isWhole) ?? 0
        try file.database.transaction { () throws(StoreError) in
            for (change, _) in changes[first...] { try change(file) }
        }
        place.isBehind = false
    }

    private func run(_ job: @escaping @Sendable () -> Void) throws(StoreError) {
        do throws(SystemError) {
            try jobs.run(job)
        } catch {
            throw StoreError(code: error.code, message: error.reason, operation: "start the store's thread")
        }
    }
}
