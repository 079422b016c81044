import Base
import Player
import Testing

/// What is told to the memory of how far items of the store were heard.
@Suite struct PlayerListeningTests {
    private final class Memory: ListeningMemory {
        private(set) var told: [String] = []

        func start(of storeID: Int64) -> Double { 0 }
        func left(_ storeID: Int64, at seconds: Double, duration: Double?) {
            told.append("\(storeID) left at \(Int(seconds))")
        }
        func heardToEnd(_ storeID: Int64) { told.append("\(storeID) heard") }
    }

    private let bench: Bench
    private let memory = Memory()

    init() throws {
        bench = try Bench()
        bench.player.listeningMemory = memory
        let items = (1...3).map { number in
            var item = NewEntry(url: "/\(number).mp3")
            item.storeID = Int64(number)
            return item
        }
        _ = try bench.player.add(items, play: true)
        bench.sound()
        bench.timing.advance(95)
    }

    @Test func whatIsLeftIsToldOnce() throws {
        try bench.player.next()
        #expect(memory.told == ["1 left at 95"])
    }

    @Test func whatIsLeftForWhatIsPreparedIsToldOnce() throws {
        bench.tell(.decoded(bench.token))
        bench.tell(.opened(try #require(bench.engine.next), Bench.stream()))
        try bench.player.next()
        #expect(bench.engine.take().contains(.playNext))
        #expect(memory.told == ["1 left at 95"])
    }

    @Test func whatIsStoppedIsToldOnce() throws {
        bench.player.stop()
        #expect(memory.told == ["1 left at 95"])
    }

    @Test func whatIsHeardToItsEndIsNotLeft() throws {
        bench.tell(.ended(bench.token))
        #expect(memory.told == ["1 heard"])
    }
}
