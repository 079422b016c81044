import Base
import Player
import Testing

@Suite struct PlayerPlaylistTests {
    private static let list = "http://h/list.m3u"

    private static func members(_ names: String..., nested: [Int] = [], depth: Int = 1) -> PlaylistMembers {
        var origin: EntryOrigin?
        for _ in 0..<depth {
            origin = EntryOrigin(playlist: list, parent: origin, mayLeadToThisMachine: false)
        }
        let entries = names.map { name in
            var entry = NewEntry(url: "http://h/\(name)", title: name)
            entry.isTitleGuessed = true
            entry.duration = 7
            entry.origin = origin
            return entry
        }
        return PlaylistMembers(entries, nested: nested)
    }

    private func urls(_ bench: Bench) -> [String] {
        bench.player.queue.ids.compactMap { bench.player.queue[$0]?.url }
    }

    @Test func whatLooksLikeAListIsReadAtOnce() throws {
        let bench = try Bench()
        _ = try bench.player.add([
            NewEntry(url: "/a.mp3"), NewEntry(url: Self.list), NewEntry(url: "/l.XSPF"),
        ])
        #expect(bench.engine.take() == [.read(1, Self.list), .read(2, "/l.XSPF")])
    }

    @Test func whatIsOpenedToBePlayedIsNotReadTwice() throws {
        let bench = try Bench()
        _ = try bench.player.open(NewEntry(url: Self.list))
        #expect(!bench.engine.take().contains { if case .read = $0 { true } else { false } })
    }

    @Test func playingAListEndsItsReadingAhead() throws {
        let bench = try Bench()
        _ = try bench.player.add([NewEntry(url: Self.list)])
        try bench.player.play()
        let calls = bench.engine.take()
        #expect(calls.first == .read(1, Self.list) && calls.contains(.cancelPlaylist(1)))
        bench.tell(.playlist(1, Self.members("a")))
        #expect(urls(bench) == [Self.list])
    }

    @Test func removingAListEndsItsReading() throws {
        let bench = try Bench()
        let ids = try bench.player.add([NewEntry(url: Self.list)])
        try bench.player.remove(ids)
        #expect(bench.engine.take().contains(.cancelPlaylist(1)))
        bench.tell(.playlist(1, Self.members("a")))
        #expect(urls(bench).isEmpty)
    }

    @Test func membersTakeTheListsPlaceWithNewIDs() throws {
        let bench = try Bench(["/1", "/2"])
        let id = try bench.player.add([NewEntry(url: Self.list)], at: 1)
        let revision = bench.player.queue.revision
        bench.tell(.playlist(1, Self.members("a", "b")))
        #expect(urls(bench) == ["/1", "http://h/a", "http://h/b", "/2"])
        #expect(!bench.player.queue.ids.contains(id[0]))
        #expect(bench.player.queue.revision > revision)
        #expect(bench["queue.index"] == "0" && bench["queue.length"] == "4")
    }

    @Test func theFirstMemberPlaysInPlaceOfAListThatIsPlayed() throws {
        let bench = try Bench(["/1"])
        _ = try bench.player.add([NewEntry(url: Self.list)], play: true)
        bench.tell(.playlist(bench.token, Self.members("a", "b")))
        #expect(bench.engine.take().contains(.open(2, "http://h/a", 0)))
        #expect(bench["queue.index"] == "1" && bench.state == "\"buffering\"")
        #expect(bench["item.url"] == "\"http://h/a\"")
        bench.sound()
        #expect(bench.state == "\"playing\"")
    }

    @Test func aListThatIsPausedOrStoppedStartsNothing() throws {
        let bench = try Bench()
        _ = try bench.player.open(NewEntry(url: Self.list))
        bench.player.pause()
        bench.tell(.playlist(bench.token, Self.members("a")))
        #expect(bench.state == "\"paused\"" && bench["item.url"] == "\"http://h/a\"")
        bench.player.stop()
        _ = try bench.player.open(NewEntry(url: Self.list), play: false)
        _ = bench.engine.take()
        bench.tell(.playlist(2, Self.members("b")))
        #expect(bench["item.url"] == "\"http://h/b\"" && bench.engine.take().isEmpty)
    }

    @Test func aListThatWasPreparedIsReplacedAndItsFirstMemberPrepared() throws {
        let bench = try Bench(["/1", "http://h/unnamed", "/3"])
        try bench.player.play()
        bench.sound(seconds: 5)
        let next = try #require(bench.engine.next)
        bench.tell(.playlist(next, Self.members("a", "b")))
        #expect(urls(bench) == ["/1", "http://h/a", "http://h/b", "/3"])
        #expect(bench.engine.take().last == .prepare(next + 1, "http://h/a"))
        #expect(bench.state == "\"playing\"")
    }

    @Test func aListThatFailsKeepsItsErrorAndItsPlace() throws {
        let bench = try Bench(["/1"])
        _ = try bench.player.add([NewEntry(url: Self.list)])
        bench.tell(.failed(1, PlaybackFailure(.notFound, "Not there.")))
        #expect(bench.player.queue.entry(at: 1)?.error?.failure.code == .notFound)
        #expect(bench["player.error"] == "null")
    }

    @Test func moreThanTheQueueHoldsIsRefusedWhole() throws {
        let bench = try Bench(limit: 2)
        _ = try bench.player.add([NewEntry(url: "/1"), NewEntry(url: Self.list)])
        bench.tell(.playlist(1, Self.members("a", "b")))
        #expect(urls(bench) == ["/1", Self.list])
        #expect(bench.player.queue.entry(at: 1)?.error != nil)
    }

    @Test func listsInListsAreReadToADepth() throws {
        let bench = try Bench()
        _ = try bench.player.add([NewEntry(url: Self.list)])
        bench.tell(.playlist(1, Self.members("a.mp3", "b.pls", nested: [1], depth: 4)))
        #expect(bench.engine.take().last == .read(2, "http://h/b.pls"))
        bench.tell(.playlist(2, Self.members("c.pls", nested: [0], depth: 5)))
        #expect(bench.engine.take().isEmpty)
        #expect(urls(bench) == ["http://h/a.mp3", "http://h/c.pls"])
    }

    @Test func manyListsInAListAreNotAllReadAhead() throws {
        let bench = try Bench()
        _ = try bench.player.add([NewEntry(url: Self.list)])
        _ = bench.engine.take()
        let origin = EntryOrigin(playlist: Self.list, parent: nil, mayLeadToThisMachine: false)
        let entries = (0..<1000).map { number in
            var entry = NewEntry(url: "http://h/\(number).pls")
            entry.origin = origin
            return entry
        }
        bench.tell(.playlist(1, PlaylistMembers(entries, nested: Array(0..<1000))))
        #expect(bench.engine.take().count == 100)
    }

    @Test func aGuessedTitleGivesWayToTheItemsOwn() throws {
        let bench = try Bench()
        _ = try bench.player.open(NewEntry(url: Self.list))
        bench.tell(.playlist(bench.token, Self.members("a.mp3")))
        #expect(bench.player.queue.current?.title == "a.mp3" && bench.player.queue.current?.duration == 7)
        bench.sound(seconds: 9, title: "Song")
        #expect(bench.player.queue.current?.title == "Song" && bench.player.queue.current?.duration == 9)
    }

    @Test func aStationsOwnNameTakesTheGuessesPlace() throws {
        let bench = try Bench()
        _ = try bench.player.open(NewEntry(url: Self.list))
        bench.tell(.playlist(bench.token, Self.members("stream")))
        bench.tell(.information(bench.token, Bench.station))
        #expect(bench.player.queue.current?.title == "Radio X")
    }
}
