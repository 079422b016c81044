import Base
import Player

/// A player on a test's bench: with a recording engine, a manual clock and a table to look at.
final class Bench {
    let engine = RecordingEngine()
    let timing = ManualTiming()
    let table = PropertyTable()
    let player: Player

    init(_ urls: [String] = [], limit: Int = 100_000) throws {
        player = Player(engine: engine, timing: timing, table: table, queueLimit: limit)
        if !urls.isEmpty { _ = try player.add(urls.map { NewEntry(url: $0) }) }
        _ = engine.take()
        _ = table.takeChanges()
    }

    /// The JSON of a property.
    subscript(key: String) -> String { table.text(of: key)?.string ?? "missing" }

    var state: String { self["player.state"] }
    var reason: String { self["player.waitingReason"] }
    var token: Int { engine.current ?? -1 }

    static let file = ContentInformation(length: 1_000_000, isSeekable: true, isLocal: true)
    static let station = ContentInformation(
        contentType: "audio/mpeg", isLive: true,
        station: StationInformation(name: "Radio X", genre: "Jazz", bitrate: 128_000))

    static func stream(seconds: Int? = 100, isSeekable: Bool = true, title: String? = nil)
        -> StreamInformation
    {
        var tags = Tags()
        tags.title = title
        return StreamInformation(
            format: AudioFormat(sampleRate: 44_100, channels: 2), codec: "MP3", bitrate: 128_000,
            frames: seconds.map { $0 * 44_100 }, isSeekable: isSeekable, tags: tags)
    }

    func tell(_ events: EngineEvent...) { for event in events { player.handle(event) } }

    /// The open item comes as a whole local file, and is heard if it was let run.
    func sound(seconds: Int = 100, title: String? = nil) {
        tell(.information(token, Self.file), .opened(token, Self.stream(seconds: seconds, title: title)))
        hear(at: 0)
    }

    /// The clock runs from a position on.
    func hear(at seconds: Double) {
        tell(.clock(token, seconds: seconds, at: timing.now, isRunning: true))
    }

    /// What a pause or a stall tells.
    func fallSilent(at seconds: Double) {
        tell(.clock(token, seconds: seconds, at: timing.now, isRunning: false))
    }
}
