import Base
import Player
import Testing

/// What clients may set.
@Suite struct PlayerSettingTests {
    @Test(arguments: [
        ("player.volume", JSONValue.integer(40), "40"), ("player.volume", .real(12.5), "12.5"),
        ("player.muted", .bool(true), "true"), ("player.rate", .integer(1), "1"),
    ])
    func aGoodValueIsTakenWhenApplied(key: String, value: JSONValue, text: String) throws {
        let bench = try Bench()
        let before = bench[key]
        let apply = try bench.table.settable[key]?.prepare(value)
        #expect(bench[key] == before)
        apply?()
        #expect(bench[key] == text)
    }

    @Test(arguments: [
        ("player.volume", JSONValue.integer(101), CommandFailure.Code.invalidParams),
        ("player.volume", .real(-0.1), .invalidParams), ("player.volume", .string("5"), .invalidParams),
        ("player.volume", .null, .invalidParams), ("player.muted", .integer(1), .invalidParams),
        ("player.rate", .real(1.5), .unsupported), ("player.rate", .integer(9), .invalidParams),
        ("player.volume", .real(.nan), .invalidParams),
    ])
    func aBadValueIsRefused(key: String, value: JSONValue, code: CommandFailure.Code) throws {
        let setting = try #require(try Bench().table.settable[key])
        #expect { _ = try setting.prepare(value) } throws: { error in
            guard let failure = error as? CommandFailure else { return false }
            return failure.code == code && failure.message.contains(key)
        }
    }

    @Test func theVolumeIsClamped() throws {
        let bench = try Bench()
        bench.player.setVolume(140)
        bench.player.setVolume(.nan)
        #expect(bench["player.volume"] == "100")
        bench.player.setVolume(-3)
        #expect(bench["player.volume"] == "0" && bench.engine.take().last == .gain(0, false))
    }
}

/// What other programs do to the card's own volume.
@Suite struct PlayerDeviceVolumeTests {
    @Test func itIsThePlayersToThePerCent() throws {
        let bench = try Bench()
        bench.player.handle(.deviceVolume(percent: 41.7, isMuted: true))
        #expect(bench["player.volume"] == "42" && bench["player.muted"] == "true")
        #expect(bench.engine.take().last == .gain(42, true))
        bench.player.handle(.deviceVolume(percent: 41.7, isMuted: false))
        #expect(bench["player.muted"] == "false")
    }

    /// An announcement with a volume of its own is over soon, and the player's comes back.
    @Test func whatIsAnnouncedDoesNotChangeIt() throws {
        let bench = try Bench()
        bench.player.setVolume(30)
        try bench.player.announce(NewEntry(url: "/bell.mp3", title: "Bell"), volume: 80)
        bench.player.handle(.deviceVolume(percent: 90, isMuted: false))
        #expect(bench["player.volume"] == "30")
    }
}

/// How items become sound, as clients set it.
@Suite struct PlayerSoundTests {
    @Test(arguments: [
        ("player.replayGain", JSONValue.string("loud")), ("player.replayGain", .null),
        ("player.crossfade", .real(-1)), ("player.crossfade", .real(15.5)),
        ("player.crossfade", .string("2")),
    ])
    func whatCannotBeIsRefused(key: String, value: JSONValue) throws {
        let setting = try #require(try Bench().table.settable[key])
        #expect(throws: CommandFailure.self) { _ = try setting.prepare(value) }
    }

    @Test func theEngineIsTold() throws {
        let bench = try Bench()
        try #require(bench.table.settable["player.replayGain"]).prepare(.string("album"))()
        try #require(bench.table.settable["player.crossfade"]).prepare(.integer(3))()
        var settings = SoundSettings()
        settings.replayGain = .album
        let first = settings
        settings.crossfade = 3
        #expect(bench.engine.take() == [.sound(first), .sound(settings)])
        #expect(bench["player.replayGain"] == #""album""# && bench["player.crossfade"] == "3")
        #expect(bench.player.memory.sound == settings)
    }

    @Test(arguments: [
        (["/a/1.mp3", "/b/2.mp3"], false), (["/a/1.mp3", "/a/2.mp3"], true),
        (["/a/1.mp3", "/a/b/2.mp3"], false), (["http://h/a/1.mp3", "http://h/a/2.mp3"], true),
        (["/a/1.mp3"], false),
    ])
    func neighboursInAFolderAreTakenForAnAlbumUntilTheirTagsAreKnown(urls: [String], isAlbum: Bool) throws {
        let bench = try Bench(urls)
        try bench.player.play()
        #expect(bench.engine.opened?.isAlbumPart == isAlbum)
        bench.player.setModes(QueueModes(isShuffled: true))
        try bench.player.play(.index(0))
        #expect(bench.engine.opened?.isAlbumPart == false)
    }

    @Test func aSleepTimerOfEarlierIsKeptAndOneThatIsPastLetsNothingPlay() throws {
        var memory = PlayerMemory()
        memory.wish = .playing
        for (offset, wish) in [(100.0, PlaybackStateMachine.Wish.playing), (-100, .paused)] {
            let bench = try Bench()
            memory.sleepAt = bench.timing.unixTime + offset
            memory.index = 0
            let entry = QueueEntry(id: 1, NewEntry(url: "/a.mp3"))
            bench.player.restore(memory, entries: [entry], resume: .playing)
            #expect(bench.player.machine.wish == wish)
            #expect((bench.player.memory.sleepAt != nil) == (offset > 0))
        }
    }
}
