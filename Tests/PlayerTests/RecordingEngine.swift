import Base
import Player

/// An engine that does nothing but note what it was told.
final class RecordingEngine: PlaybackEngine {
    enum Call: Equatable {
        case open(Int, String, Double)
        case prepare(Int, String)
        case read(Int, String)
        case cancelPlaylist(Int)
        case cancelNext, playNext, close, stopOutput, setAside, dropAside
        case takeUp(Int, Double)
        case run(Bool)
        case seek(Int, Double, serial: Int)
        case gain(Double, Bool)
        case scan(Int, ScanDirection)
        case sound(SoundSettings)
        case announce(Int, String, AnnouncementVolumes)
        case endAnnouncement
    }

    /// Called from inside `open`, against the rules.
    var onOpen: ((Int) -> Void)?
    private(set) var calls: [Call] = []
    private(set) var current: Int?
    /// The item that was opened last.
    private(set) var opened: PlayableItem?
    private(set) var next: Int?
    /// What is announced over the current item.
    private(set) var announced: Int?
    /// The URL that is fetched ahead.
    private(set) var ahead: String?
    private(set) var isRunning = false
    private var isAside = false
    private(set) var serial = 0
    private(set) var seekTarget = 0.0

    /// Takes the calls noted since it was asked last.
    func take() -> [Call] {
        defer { calls = [] }
        return calls
    }

    func open(_ token: Int, _ item: PlayableItem, at seconds: Double) {
        calls.append(.open(token, item.url, seconds))
        (current, next) = (token, nil)
        opened = item
        onOpen?(token)
    }

    func setAside() {
        calls.append(.setAside)
        isAside = true
    }

    func dropAside() {
        if isAside { calls.append(.dropAside) }
        isAside = false
    }

    func takeUp(_ token: Int, at seconds: Double) {
        calls.append(.takeUp(token, seconds))
        isAside = false
        (current, next) = (token, nil)
    }

    func prepareNext(_ token: Int, _ item: PlayableItem) {
        calls.append(.prepare(token, item.url))
        next = token
    }

    func fetchAhead(_ item: PlayableItem?) { ahead = item?.url }

    func cancelNext() {
        calls.append(.cancelNext)
        next = nil
    }

    func playNext() {
        calls.append(.playNext)
        startNext()
    }

    func readPlaylist(_ token: Int, _ item: PlayableItem) { calls.append(.read(token, item.url)) }

    func cancelPlaylist(_ token: Int) { calls.append(.cancelPlaylist(token)) }

    func close() {
        calls.append(.close)
        (current, next) = (nil, nil)
    }

    func setRunning(_ isRunning: Bool) {
        calls.append(.run(isRunning))
        self.isRunning = isRunning
    }

    func seek(_ token: Int, to seconds: Double, serial: Int) {
        calls.append(.seek(token, seconds, serial: serial))
        self.serial = serial
        seekTarget = seconds
    }

    func scan(_ token: Int, _ direction: ScanDirection) { calls.append(.scan(token, direction)) }

    func announce(_ token: Int, _ item: PlayableItem, volumes: AnnouncementVolumes) {
        calls.append(.announce(token, item.url, volumes))
        announced = token
    }

    func endAnnouncement() {
        calls.append(.endAnnouncement)
        announced = nil
    }

    func stopOutput() { calls.append(.stopOutput) }

    func setGain(percent: Double, isMuted: Bool) { calls.append(.gain(percent, isMuted)) }

    func setSound(_ settings: SoundSettings) { calls.append(.sound(settings)) }

    /// The prepared item is heard now.
    func startNext() { (current, next) = (next, nil) }
}
