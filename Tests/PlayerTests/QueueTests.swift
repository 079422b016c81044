import Base
import Player
import Testing

@Suite struct QueueTests {
    private func items(_ count: Int) -> [NewEntry] { (0..<count).map { NewEntry(url: "/\($0).mp3") } }

    @Test func firstEntryBecomesCurrent() throws {
        var queue = Queue(firstID: 7)
        #expect(queue.index == nil)
        #expect(try queue.insert(items(2), at: nil) == [7, 8])
        #expect(queue.index == 0)
        #expect(queue.revision == 1)
    }

    @Test func idsAreNeverUsedAgain() throws {
        var queue = Queue()
        _ = try queue.insert(items(2), at: nil)
        queue.clear()
        #expect(try queue.insert(items(1), at: nil) == [3])
    }

    @Test func oneBadItemKeepsAllOut() {
        var queue = Queue()
        let bad = items(2) + [NewEntry(url: "rtsp://h/x")]
        #expect(throws: CommandFailure.self) { try queue.insert(bad, at: nil) }
        #expect(queue.count == 0 && queue.revision == 0 && queue.nextID == 1)
    }

    @Test func anOldRevisionIsRefused() throws {
        var queue = Queue()
        _ = try queue.insert(items(1), at: nil)
        try queue.expect(nil)
        try queue.expect(1)
        #expect { try queue.expect(0) } throws: { ($0 as? CommandFailure)?.code == .invalidState }
    }

    @Test func whatIsLearnedCountsOnce() throws {
        var queue = Queue()
        let id = try queue.insert(items(1), at: nil)[0]
        queue.update(id) { $0.title = "T" }
        queue.update(id) { $0.title = "T" }
        #expect(queue.revision == 2)
    }

    @Test func aPageShowsURLsWithoutSecretsAndNoHeaders() throws {
        var queue = Queue()
        let header = HeaderField("Authorization", "Bearer geheim")
        let mirror = "http://geheim.example/b"
        let item = NewEntry(
            url: "http://me:pw@h/a?token=geheim", title: "T", headers: [header], mirrors: [mirror])
        _ = try queue.insert([item], at: nil)
        let text = JSONText(try queue.page(offset: 0, limit: 10)).string
        #expect(!text.contains("geheim") && !text.contains("pw"))
        let entry =
            #"{"id":1,"url":"http://h/a?token=***","title":"T","artist":null,"album":null,"duration":null,"#
            + #""source":null,"storeId":null,"error":null}"#
        #expect(text == #"{"queueRevision":1,"total":1,"entries":["# + entry + "]}")
        #expect(queue.current?.headers == [header])
        #expect(queue.current?.playable.mirrors == [mirror])
    }

    @Test func aPasswordInAURLBecomesAHeader() throws {
        let entry = NewEntry(url: "http://me:p%40w@h/a", headers: [HeaderField("X", "1")])
        #expect(entry.url == "http://h/a")
        #expect(entry.headers == [HeaderField("X", "1"), HeaderField("Authorization", "Basic bWU6cEB3")])
        let own = HeaderField("authorization", "OAuth x")
        #expect(NewEntry(url: "http://me:pw@h/a", headers: [own]).headers == [own])
    }

    @Test func pagesEndWithTheQueue() throws {
        var queue = Queue()
        _ = try queue.insert(items(5), at: nil)
        #expect(try queue.page(offset: 3, limit: 500).entries.map(\.id) == [4, 5])
        #expect(try queue.page(offset: 9, limit: 1).entries.isEmpty)
        #expect(throws: CommandFailure.self) { try queue.page(offset: -1, limit: 1) }
        #expect(throws: CommandFailure.self) { try queue.page(offset: 0, limit: -1) }
    }

    @Test func aFullQueueTakesNoMore() throws {
        var queue = Queue(limit: 3)
        _ = try queue.insert(items(2), at: nil)
        #expect { try queue.insert(items(2), at: nil) } throws: { ($0 as? CommandFailure)?.code == .limit }
        #expect(queue.count == 2)
        _ = try queue.replaceAll(items(3))
        #expect(try queue.replaceCurrent(NewEntry(url: "/x")) == 6)
        #expect(queue.ids == [6, 4, 5])
    }
}
