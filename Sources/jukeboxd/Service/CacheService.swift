import Base
import Control
import Loader
import Store

/// The cache as clients see it: `cache.used`, `.limit`, `.error`, and the methods `cache.*`. Control thread.
final class CacheService {
    private static let interval = Duration.seconds(1)
    /// How long a method waits for the disk.
    private static let patience = Duration.seconds(1)

    let cache: DiskCache
    /// Called when something came that was not here, or is gone.
    var hearEntries: () -> Void = {}
    private let loop: EventLoop
    private let used: Property<Int64>
    private let limit: KeptNumber
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
        limit = KeptNumber(
            "cache.limit", keptAs: "cache_limit", configured: bytes, unit: "bytes", table: table
        ) { [cache] in cache.setLimit($0) }
        error = Property("cache.error", nil, in: table)
        try mailbox.deliver(on: loop) { [unowned self] in take($0) }
        cache.start()
    }

    // MARK: Methods

    /// Adds the methods; each is answered from the cache's thread, in its place, or without it when that hangs.
    func add(to commands: CommandTable) {
        commands.add("cache.status") { [unowned self] call in
            answer(call, or: { .success(Self.text($0.cache.lastStatus)) }) { fill in
                cache.status { fill(Self.text($0)) }
            }
        }
        commands.add("cache.list") { [unowned self] call in
            answer(call, or: { _ in .failure(Self.silence) }) { fill in cache.list { fill(Self.text($0)) } }
        }
        commands.add("cache.clear") { [unowned self] (call) throws(CommandFailure) in
            let url = try call.parameters.optionalString("url")
            return answer(call, or: { _ in .failure(Self.silence) }) { fill in
                cache.clear(url: url) { fill(JSONText(raw: "{\"freed\":\($0)}")) }
            }
        }
    }

    /// Answers by what `ask` fills in soon, else by `other`.
    private func answer(
        _ call: CommandCall, or other: @escaping (CacheService) -> Result<JSONText, CommandFailure>,
        _ ask: (@escaping @Sendable (JSONText) -> Void) -> Void
    ) -> CommandOutcome {
        let slot = call.makeReplySlot()
        guard !cache.isSilent else {
            slot.fill(other(self))
            return .later(slot)
        }
        ask { slot.fill(.success($0)) }
        loop.schedule(after: Self.patience) { [weak self] in
            if let self, slot.fill(other(self)) { cache.noteSilence() }
        }
        return .later(slot)
    }

    private static let silence = CommandFailure(.invalidState, "The cache's disk does not answer.")

    /// Takes up the limit that was set last.
    func resume(_ settings: [String: SQLValue], keeper: StateKeeper) {
        limit.resume(settings, keeper: keeper)
    }

    // MARK: Properties

    /// Tells what changed; how much is used at most once a second.
    private func take(_ status: CacheStatus) {
        if status.entries != latest.entries { hearEntries() }
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
