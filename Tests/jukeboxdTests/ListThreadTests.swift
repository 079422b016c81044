import Base
import Player
import Synchronization
import Testing

@testable import jukeboxd

@Suite struct ListThreadTests {
    /// Bytes that come when a test says so.
    private final class SlowSource: ByteSource {
        private struct State {
            var bytes: [UInt8] = []
            var end: ReadOutcome = .wait
            var wakePoint: WakePoint?
        }

        private let state = Mutex(State())
        let information: ContentInformation? = ContentInformation(
            place: ContentPlace(url: "http://h/l/", mayLeadToThisMachine: false))

        func add(_ text: String, then end: ReadOutcome = .wait) {
            let point = state.withLock { state in
                state.bytes += Array(text.utf8)
                state.end = end
                return state.wakePoint
            }
            point?.signal()
        }

        func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) -> ReadOutcome {
            state.withLock { state in
                let rest = state.bytes.dropFirst(Int(offset)).prefix(buffer.count)
                guard !rest.isEmpty else { return state.end }
                unsafe buffer.copyBytes(from: rest)
                return .bytes(rest.count)
            }
        }

        func bytesAvailable(from offset: Int64) -> Int64 { 0 }
        func takeMetadata(upTo offset: Int64) -> [TimedMetadata] { [] }
        func setWakePoint(_ point: WakePoint?) { state.withLock { $0.wakePoint = point } }
        func close() { add("", then: .failed(PlaybackFailure(.internal, "Closed."))) }
    }

    /// What a thread told, waited for by a deadline that only ends a hung test.
    private final class Outcomes: Sendable {
        private let all = Mutex<[Int: ListOutcome]>([:])
        private let came = WakePoint()

        func add(_ token: Int, _ outcome: ListOutcome) {
            all.withLock { $0[token] = outcome }
            came.signal()
        }

        func wait(for token: Int) -> ListOutcome? {
            let deadline = MonotonicTime.now + .seconds(30)
            while MonotonicTime.now < deadline {
                if let outcome = all.withLock({ $0[token] }) { return outcome }
                came.wait(until: deadline)
            }
            return nil
        }
    }

    private static func thread(_ outcomes: Outcomes) -> ListThread {
        ListThread(
            journal: Journal(), openFolder: { _ in SlowSource() }, tell: { outcomes.add($0, $1) })
    }

    @Test func aSlowListHoldsUpNoOther() throws {
        let outcomes = Outcomes()
        let thread = Self.thread(outcomes)
        let (slow, quick) = (SlowSource(), SlowSource())
        slow.add("#EXTM3U\nfirst.mp3\n")
        quick.add("#EXTM3U\nquick.mp3\n", then: .end)
        let item = PlayableItem(url: "http://h/l/x.m3u")
        try thread.read(ListRequest(token: 1, item: item, source: slow))
        try thread.read(ListRequest(token: 2, item: item, source: quick))
        guard case .members(let members)? = outcomes.wait(for: 2) else {
            Issue.record("no members came")
            return
        }
        #expect(members.entries.map(\.url) == ["http://h/l/quick.mp3"])
        #expect(members.entries.first?.origin?.playlists == ["http://h/l/"])
        slow.add("second.m3u\n", then: .end)
        guard case .members(let late)? = outcomes.wait(for: 1) else {
            Issue.record("no members came")
            return
        }
        #expect(late.entries.count == 2 && late.nested == [1])
    }

    @Test func soundIsGivenUpAtOnce() throws {
        let outcomes = Outcomes()
        let source = SlowSource()
        source.add(String(repeating: "\u{1}\u{2}", count: 512))
        let item = PlayableItem(url: "http://h/x.pls")
        try Self.thread(outcomes).read(ListRequest(token: 1, item: item, source: source))
        guard case .noList? = outcomes.wait(for: 1) else {
            Issue.record("was taken for a list")
            return
        }
    }

    @Test(arguments: [true, false])
    func bytesThatAreGoneSayNothingOfWhatTheDecoderSaw(_ isTried: Bool) throws {
        let outcomes = Outcomes()
        let source = SlowSource()
        source.close()
        let item = PlayableItem(url: "http://h/x")
        try Self.thread(outcomes).read(
            ListRequest(token: 1, item: item, source: source, isTried: isTried))
        switch outcomes.wait(for: 1) {
        case .noList?: #expect(isTried)
        case .failed(let failure)?: #expect(!isTried && failure.code == .internal)
        default: Issue.record("came to something else")
        }
    }

    @Test func headersAreInheritedAtTheSameOriginOnly() throws {
        let outcomes = Outcomes()
        let source = SlowSource()
        source.add("#EXTM3U\na.mp3\nhttp://h:81/b.mp3\nhttps://h/c.mp3\nhttp://H:80/d.mp3\n", then: .end)
        let item = PlayableItem(url: "http://h/x.m3u", headers: [HeaderField("X-Key", "geheim")])
        try Self.thread(outcomes).read(ListRequest(token: 1, item: item, source: source))
        guard case .members(let members)? = outcomes.wait(for: 1) else {
            Issue.record("no members came")
            return
        }
        #expect(members.entries.map { !$0.headers.isEmpty } == [true, false, false, true])
    }

    @Test func aListWithinTooManyIsNotFollowed() throws {
        var origin: EntryOrigin?
        for number in 0..<EntryOrigin.deepest {
            origin = EntryOrigin(playlist: "http://h/\(number)", parent: origin, mayLeadToThisMachine: false)
        }
        let outcomes = Outcomes()
        let source = SlowSource()
        source.add("#EXTM3U\na.mp3\n", then: .end)
        let item = PlayableItem(url: "http://h/x.m3u", origin: origin)
        try Self.thread(outcomes).read(ListRequest(token: 1, item: item, source: source))
        guard case .failed(let failure)? = outcomes.wait(for: 1) else {
            Issue.record("was followed")
            return
        }
        #expect(failure.code == .tooManyRedirects)
    }
}
