import Base
import Terminal
import Testing

@testable import jukectl

@Suite struct StatusTextTests {
    private let output = Output(wantsJSON: false, isTerminal: false)

    @Test func aPausedFileShowsItsPlace() {
        let values: [String: JSONValue] = [
            "player.state": .string("paused"), "player.waitingReason": .null, "player.volume": .integer(80),
            "player.muted": .bool(true), "player.error": .null, "item.entry": .integer(3),
            "item.title": .string("Resistance"), "item.artist": .string("The Ohms"), "item.album": .null,
            "item.url": .string("/music/r.mp3"), "item.duration": .real(245),
            "player.position": .object(["seconds": .real(83), "rate": .integer(0), "monotonic": .real(1)]),
            "queue.index": .integer(1), "queue.length": .integer(5),
        ]
        #expect(
            StatusText.lines(values, on: output) == [
                "paused", "title:    Resistance", "artist:   The Ohms", "url:      /music/r.mp3",
                "position: 1:23 / 4:05", "volume:   80 (muted)", "queue:    2 of 5",
            ])
        #expect(StatusText.line(values, on: output) == "paused  The Ohms – Resistance")
        #expect(PlaybackText.nextSecond(values) == nil)
    }

    @Test(arguments: [(0, 0), (1, 2), (10, 20), (11, 20)] as [(Double, Int)])
    func theBarFillsWithTheItem(seconds: Double, filled: Int) {
        let position = JSONValue.object(["seconds": .real(seconds), "rate": .integer(0)])
        let bar = PlaybackText.bar(["item.duration": .integer(10), "player.position": position])
        #expect(bar.filter { $0 == "━" }.count == filled && bar.count == 21)
    }

    @Test func anErrorIsShownWithItsAddress() {
        let error = JSONValue.object(["message": .string("There is no such file"), "url": .string("/x.mp3")])
        let lines = StatusText.lines(["player.state": .string("stopped"), "player.error": error], on: output)
        #expect(lines == ["stopped", "error:    There is no such file (/x.mp3)"])
    }

    @Test func aTitleCannotMoveTheCursor() {
        let title = ItemText.title(artist: nil, title: .string("a\u{1B}[2J\nb"), channel: nil, url: nil)
        #expect(title == "a [2J b")
    }
}
