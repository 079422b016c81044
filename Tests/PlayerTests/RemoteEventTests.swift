import Base
import Player
import Testing

@Suite struct RemoteEventTests {
    @Test(arguments: [
        ("togglePlayPause", RemoteEvent.toggle), ("remoteControlTogglePlayPause", .toggle),
        ("nextTrack", .next), ("PlayPause", .toggle), ("Next", .next), ("Previous", .previous),
        ("XF86AudioPlay", .toggle), ("XF86AudioPrev", .previous), ("XF86AudioRaiseVolume", .raiseVolume),
        ("XF86AudioMute", .mute), ("Stop", .stop), ("pause", .pause),
        ("beginSeekingForward", .beginScan(.forward)), ("endSeekingBackward", .endScan),
    ])
    func keysAreKnownByTheirNames(name: String, event: RemoteEvent) throws {
        #expect(try RemoteEvent(named: name) == event)
    }

    @Test(arguments: [
        ("XF86AudioRecord", CommandFailure.Code.unsupported),
        ("", .invalidParams), ("xf86audioplay", .invalidParams), ("Raise", .invalidParams),
    ])
    func othersAreRefused(name: String, code: CommandFailure.Code) {
        #expect { try RemoteEvent(named: name) } throws: { ($0 as? CommandFailure)?.code == code }
    }

    @Test func keysDoWhatTheySay() throws {
        let bench = try Bench(["/a.mp3", "/b.mp3"])
        try bench.player.remote("XF86AudioPlay")
        bench.sound()
        #expect(bench.state == #""playing""#)
        try bench.player.remote("PlayPause")
        #expect(bench.state == #""paused""#)
        try bench.player.remote("Play")
        try bench.player.remote("nextTrack")
        #expect(bench["queue.index"] == "1")
        try bench.player.remote("Previous")
        try bench.player.remote("XF86AudioStop")
        #expect(bench.state == #""stopped""# && bench["queue.index"] == "0")
    }

    @Test func modeKeysGoRound() throws {
        let bench = try Bench(["/a.mp3"])
        for mode in ["all", "one", "off"] {
            try bench.player.remote("XF86AudioRepeat")
            #expect(bench["player.repeat"] == "\"\(mode)\"")
        }
        for isOn in ["true", "false"] {
            try bench.player.remote("XF86AudioRandomPlay")
            #expect(bench["player.shuffle"] == isOn)
        }
    }

    @Test func volumeKeysStayInRange() throws {
        let bench = try Bench()
        try bench.player.remote("XF86AudioRaiseVolume")
        #expect(bench["player.volume"] == "100")
        for _ in 0..<30 { try bench.player.remote("XF86AudioLowerVolume") }
        #expect(bench["player.volume"] == "0")
        try bench.player.remote("XF86AudioMute")
        #expect(bench["player.muted"] == "true" && bench.engine.take().last == .gain(0, true))
    }
}
