import Base
import Control
import Loader

/// The cache as clients see it: `cache.used`, `.limit`, `.error`, and the methods `cache.*`. Control thread.
final class CacheService {
    private static let interval = Duration.seconds(1)
    private static let mostBytes = 1.0 * Double(1 << 50)

    let cache: DiskCache
    private let loop: EventLoop
    private let used: Property<Int64>
    private let limit: Property<Int64>
    private let error: Property<String?>
    private let mailbox: Mailbox<CacheStatus>
    private var latest: CacheStatus
    private var isScheduled = false
    private var lastTold = MonotonicTime(nanoseconds: 0)

    /// Makes the cache below a folder; its thread begins to look at what is there. Throws without descriptors.
    init(folder: String, limit bytes: Int64, table: PropertyTable, loop: EventLoop) throws(SystemError) {
        let mailbox = try Mailbox<CacheStatus>()
        self.mailbox = mailbox
        self.loop = loop
        var settings = CacheSettings(folder: folder + "/media")
        settings.limit = bytes
        settings.tell = { mailbox.post($0) }
        cache = DiskCache(settings)
        latest = CacheStatus(limit: bytes)
        used = Property("cache.used", 0, in: table)
        limit = Property("cache.limit", bytes, in: table)
        error = Property("cache.error", nil, in: table)
        table.settable["cache.limit"] = SettableProperty(kind: .number(0...Self.mostBytes)) {
            [unowned self] (value) throws(CommandFailure) in
            let bytes = try Self.bytes(value)
            return { [self] in setLimit(bytes) }
        }
        try mailbox.deliver(on: loop) { [unowned self] in take($0) }
        cache.start()
    }

    /// Adds the methods; each is answered from the cache's thread, in its place.
    func add(to commands: CommandTable) {
        commands.add("cache.status") { [cache] call in
            let slot = call.makeReplySlot()
            cache.status { slot.fill(.success(Self.text($0))) }
            return .later(slot)
        }
        commands.add("cache.list") { [cache] call in
            let slot = call.makeReplySlot()
            cache.list { slot.fill(.success(Self.text($0))) }
            return .later(slot)
        }
        commands.add("cache.clear") { [cache] (call) throws(CommandFailure) in
            let url = try call.parameters.optionalString("url")
            let slot = call.makeReplySlot()
            cache.clear(url: url) { slot.fill(.success(JSONText(raw: "{\"freed\":\($0)}"))) }
            return .later(slot)
        }
    }

    // MARK: Properties

    private static func bytes(_ value: JSONValue) throws(CommandFailure) -> Int64 {
        guard let number = value.number, number >= 0, number <= mostBytes else {
            throw CommandFailure(
                .invalidParams, "cache.limit takes a number of bytes from 0 to \(Int64(mostBytes)).")
        }
        return Int64(number)
    }

    private func setLimit(_ bytes: Int64) {
        guard limit.value != bytes else { return }
        limit.value = bytes
        cache.setLimit(bytes)
    }

    /// Tells what changed; how much is used at most once a second.
    private func take(_ status: CacheStatus) {
        latest = status
        error.value = status.error
        guard !isScheduled, used.value != status.used else { return }
        let due = lastTold + Self.interval
        if MonotonicTime.now >= due { return tellUsed() }
        isScheduled = true
        loop.schedule(at: due) { [unowned self] in
            isScheduled = false
            tellUsed()
        }
    }

    private func tellUsed() {
        lastTold = .now
        used.value = latest.used
    }

    // MARK: Texts

    private static func text(_ status: CacheStatus) -> JSONText {
        return .object { text in
            text.member("used", status.used)
            text.member("limit", status.limit)
            text.member("allowed", status.allowed)
            text.member("entries", status.entries)
            text.member("folder", status.folder)
            text.member("error", status.error)
        }
    }

    private static func text(_ entries: [CacheEntry]) -> JSONText {
        return .object { text in
            text.member("entries", entries.map { Self.text($0) })
        }
    }

    private static func text(_ entry: CacheEntry) -> JSONText {
        return .object { text in
            text.member("url", entry.url)
            text.member("bytes", entry.bytes)
            text.member("length", entry.length)
            text.member("contentType", entry.contentType)
            text.member("complete", entry.isComplete)
            text.member("pinned", entry.isPinned)
            text.member("usedAt", entry.usedAt)
        }
    }
}
