import Base
import Player
import Testing

/// The properties of the current item and its buffer.
@Suite struct PlayerItemTests {
    private static func station(_ title: String? = nil) throws -> Bench {
        let bench = try Bench()
        _ = try bench.player.open(NewEntry(url: "http://me:pw@h/a?key=k", title: title))
        bench.tell(.receiving(1), .information(1, Bench.station))
        bench.tell(.opened(1, Bench.stream(seconds: nil, isSeekable: false)))
        bench.tell(.buffer(1, BufferStatus(secondsAhead: 3)))
        bench.hear(at: 0)
        return bench
    }

    private func icy(_ title: String) -> EngineEvent {
        .metadata(1, TimedMetadata(source: .icy, fields: [.init("StreamTitle", title)], offset: 0))
    }

    @Test func aStationTellsItsNameAndItsTitles() throws {
        let bench = try Self.station()
        #expect(bench["item.channel"] == #""Radio X""# && bench["item.genre"] == #""Jazz""#)
        #expect(bench["item.title"] == "null" && bench["item.live"] == "true")
        #expect(bench["item.url"] == #""http://h/a?key=***""# && bench["item.duration"] == "null")
        bench.tell(icy("A - B - C"))
        #expect(bench["item.artist"] == #""A""# && bench["item.title"] == #""B - C""#)
        let fields = #"{"source":"icy","fields":{"StreamTitle":"A - B - C"},"at":1700000005}"#
        #expect(bench["item.timedMetadata"] == fields)
        bench.tell(icy("News"))
        #expect(bench["item.artist"] == "null" && bench["item.title"] == #""News""#)
        bench.tell(icy(""))
        #expect(bench["item.title"] == "null" && bench["item.artist"] == "null")
        #expect(try bench.player.list().entries[0].title == "Radio X")
    }

    @Test func theUsersNameOfAStationShowsWhereItHasNoTitle() throws {
        let bench = try Self.station("My radio")
        #expect(bench["item.title"] == #""My radio""#)
        bench.tell(icy("A - B"))
        #expect(bench["item.title"] == #""B""#)
        bench.tell(icy(""))
        #expect(bench["item.title"] == #""My radio""#)
    }

    @Test func whatIsLearnedIsListedAndStays() throws {
        let bench = try Bench(["/a.mp3"])
        try bench.player.play()
        var stream = Bench.stream(title: "T")
        stream.tags.artist = "P"
        stream.tags.album = "L"
        bench.tell(.information(1, Bench.file), .opened(1, stream))
        bench.player.stop()
        #expect(bench["item.title"] == #""T""# && bench["item.artist"] == #""P""#)
        #expect(bench["item.duration"] == "100" && bench["item.codec"] == "null")
        #expect(try bench.player.list().entries[0].album == "L")
    }

    @Test func anEstimatedDurationIsMarkedUntilItIsKnown() throws {
        let bench = try Bench(["/a.mp3"])
        try bench.player.play()
        var stream = Bench.stream(seconds: 24)
        stream.isEstimated = true
        bench.tell(.information(1, Bench.file), .opened(1, stream))
        #expect(bench["item.duration"] == "24" && bench["item.durationEstimated"] == "true")
        bench.tell(.lengthKnown(1, seconds: 16, isEstimated: false))
        #expect(bench["item.duration"] == "16" && bench["item.durationEstimated"] == "false")
        #expect(bench["item.seekableRanges"] == "[[0,16]]")
    }

    @Test func loadingIsToldOnceASecond() throws {
        let bench = try Bench(["http://h/a"])
        try bench.player.play()
        bench.tell(.information(1, ContentInformation(length: 100, isSeekable: true)))
        bench.tell(.opened(1, Bench.stream()))
        _ = bench.table.takeChanges()
        var changes = 0
        for tenth in 1...50 {
            bench.timing.advance(0.1)
            bench.tell(.buffer(1, status(tenth)))
            changes += bench.table.takeChanges().filter { $0.key == "item.loadedBytes" }.count
        }
        #expect((4...6).contains(changes))
        bench.timing.advance(1)
        #expect(bench["item.loadedBytes"] == "50" && bench["item.loadedRanges"] == "[[0,50]]")
        #expect(bench["item.totalBytes"] == "100" && bench.timing.armed.isEmpty)
    }

    private func status(_ amount: Int) -> BufferStatus {
        BufferStatus(
            secondsAhead: 0.1, loadedBytes: Int64(amount), totalBytes: 100, loadedRanges: [0...Double(amount)]
        )
    }

    @Test func aStationsRangesAreToldOnceInTenSeconds() throws {
        let bench = try Self.station()
        _ = bench.table.takeChanges()
        var changes = 0
        for second in 1...30 {
            bench.timing.advance(1)
            bench.tell(.buffer(1, BufferStatus(secondsAhead: 3, loadedBytes: Int64(second))))
            changes += bench.table.takeChanges().filter { $0.key.hasPrefix("item.loaded") }.count
        }
        #expect((2...3).contains(changes))
    }

    @Test func everyPropertyOfTheProtocolIsThere() throws {
        let bench = try Bench()
        let items = [
            "entry", "url", "title", "artist", "album", "channel", "genre", "date", "track", "artwork",
            "status",
            "duration", "durationEstimated", "live", "seekable", "cached", "seekableRanges", "loadedRanges",
            "loadedBytes", "totalBytes", "timedMetadata", "contentType", "codec", "bitrate", "sampleRate",
            "channels", "bitsPerSample",
        ].map { "item." + $0 }
        let players = [
            "state", "waitingReason", "retry", "position", "volume", "muted", "rate", "repeat", "shuffle",
            "consume", "replayGain", "crossfade", "sleepAt", "announcing", "error",
        ]
        let buffers = ["seconds", "target", "empty", "full", "likelyToKeepUp"].map { "buffer." + $0 }
        let queues = ["length", "index", "revision"].map { "queue." + $0 }
        #expect(Set(bench.table.keys) == Set(items + players.map { "player." + $0 } + buffers + queues))
        #expect(items.allSatisfy { bench[$0] == "null" })
    }
}
