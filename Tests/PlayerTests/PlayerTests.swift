import Base
import Player
import Testing

@Suite struct PlayerTests {
    @Test func aFilePlaysAndTheQueueEnds() throws {
        let bench = try Bench(["/a.mp3", "/b.mp3"])
        #expect(bench.state == #""stopped""#)
        try bench.player.play()
        #expect(bench.state == #""buffering""# && bench.reason == #""connecting""#)
        #expect(bench.engine.take() == [.open(1, "/a.mp3", 0)])
        bench.tell(.information(1, Bench.file), .opened(1, Bench.stream(title: "A")))
        #expect(bench.engine.take() == [.run(true)])
        #expect(bench.state == #""buffering""#)
        bench.hear(at: 0)
        #expect(bench.state == #""playing""# && bench.reason == "null")
        #expect(bench["item.title"] == #""A""# && bench["item.duration"] == "100")
        bench.tell(.ended(1))
        #expect(bench["queue.index"] == "1" && bench.state == #""buffering""#)
        #expect(bench.engine.take() == [.run(false), .open(2, "/b.mp3", 0)])
        bench.sound()
        bench.tell(.ended(2))
        #expect(bench.state == #""stopped""# && bench["queue.index"] == "0")
        #expect(bench.engine.take() == [.run(true), .run(false), .close, .stopOutput])
        #expect(bench.player.position == 0)
        #expect(bench.timing.armed.isEmpty)
    }

    @Test func aRefilledBufferDoesNotStartWhatTheUserPaused() throws {
        let bench = try Bench(["http://h/a"])
        try bench.player.play()
        bench.tell(.receiving(1), .information(1, Bench.station), .opened(1, Bench.stream(seconds: nil)))
        #expect(bench.reason == #""filling""#)
        bench.player.pause()
        bench.tell(.buffer(1, BufferStatus(secondsAhead: 5)))
        #expect(bench.state == #""paused""# && !bench.engine.isRunning)
        try bench.player.play()
        #expect(bench.engine.isRunning)
    }
}
