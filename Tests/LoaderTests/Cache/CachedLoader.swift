import Base
import Support
import Glibc
import Synchronization

@testable import Loader

/// A loader with a cache in a folder, as a daemon has it from its start to its end.
final class CachedLoader {
    let loader: Loader
    let cache: DiskCache
    let statuses = StatusLog()

    init(
        _ folder: String, limit: Int64 = 1 << 30, faults: DiskFaults = DiskFaults(),
        settings: LoaderSettings = .quick, waitsForFolder: Bool = true
    ) {
        var cacheSettings = CacheSettings(folder: folder)
        cacheSettings.limit = limit
        cacheSettings.faults = faults
        cacheSettings.tell = statuses.add
        cache = DiskCache(cacheSettings)
        var settings = settings
        settings.cache = cache
        loader = Loader(settings)
        if waitsForFolder { waitForFolder() }
    }

    /// A program that another test starts holds the lock of a loader before until it has begun.
    private func waitForFolder() {
        _ = comesTrue { status.error?.hasPrefix("Another daemon") != true }
    }

    deinit { stop() }

    func open(_ url: String, headers: [(String, String)] = []) -> Listening {
        Listening(loader, url, headers)
    }

    /// Ends as the daemon does: all is on disk then, and another may use the folder.
    func stop() { loader.stop(within: .seconds(120)) }

    /// The entries, in the order of the last use.
    var entries: [CacheEntry] {
        let result = Mutex<[CacheEntry]?>(nil)
        let point = WakePoint()
        cache.list { entries in
            result.withLock { $0 = entries }
            point.signal()
        }
        point.wait(until: .now + .seconds(20))
        return result.withLock { $0 } ?? []
    }

    /// Waits until that many bytes are on disk.
    func waitUntilKept(_ bytes: Int) -> Bool {
        comesTrue { entries.reduce(0) { $0 + $1.bytes } >= Int64(bytes) }
    }

    var status: CacheStatus {
        let result = Mutex<CacheStatus?>(nil)
        let point = WakePoint()
        cache.status { status in
            result.withLock { $0 = status }
            point.signal()
        }
        point.wait(until: .now + .seconds(20))
        return result.withLock { $0 } ?? CacheStatus(limit: -1)
    }
}

/// A source that was opened through a loader, with what it told.
final class Listening {
    let log = EventLog()
    let source: any ByteSource
    let reader: SourceReader

    init(_ loader: Loader, _ url: String, _ headers: [(String, String)]) {
        source = loader.open(url: url, headers: headers, events: log.add)
        reader = SourceReader(source)
    }

    deinit { source.close() }

    func whole() -> [UInt8] { reader.read(from: 0, atMost: .max) }

    /// Waits until all of it was loaded.
    func waitUntilComplete() -> Bool { log.wait { $0.progress?.isComplete == true } != nil }
}

final class StatusLog: Sendable {
    private let statuses = Mutex<[CacheStatus]>([])
    private let point = WakePoint()

    var add: @Sendable (CacheStatus) -> Void {
        { [self] status in
            statuses.withLock { $0.append(status) }
            point.signal()
        }
    }

    func wait(for matches: (CacheStatus) -> Bool) -> CacheStatus? {
        let deadline = MonotonicTime.now + .seconds(20)
        while true {
            if let found = statuses.withLock({ $0 }).first(where: matches) { return found }
            if !point.wait(until: deadline) { return nil }
        }
    }
}
