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

    @Test func insertingBeforeTheCurrentEntryKeepsIt() throws {
        var queue = Queue()
        let first = try queue.insert(items(1), at: nil)
        _ = try queue.insert(items(3), at: 0)
        #expect(queue.index == 3)
        #expect(queue.current?.id == first[0])
    }

    @Test func oneBadItemKeepsAllOut() {
        var queue = Queue()
        let bad = items(2) + [NewEntry(url: "rtsp://h/x")]
        #expect(throws: CommandFailure.self) { try queue.insert(bad, at: nil) }
        #expect(queue.count == 0 && queue.revision == 0)
        #expect(queue.nextID == 1)
    }
}
