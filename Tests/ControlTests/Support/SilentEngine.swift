import Base
import Player

/// An engine that takes every command and tells nothing.
final class SilentEngine: PlaybackEngine {
    func open(_ token: Int, _ item: PlayableItem, at seconds: Double) {}
    func setAside() {}
    func takeUp(_ token: Int, at seconds: Double) {}
    func dropAside() {}
    func prepareNext(_ token: Int, _ item: PlayableItem) {}
    func fetchAhead(_ item: PlayableItem?) {}
    func cancelNext() {}
    func readPlaylist(_ token: Int, _ item: PlayableItem) {}
    func cancelPlaylist(_ token: Int) {}
    func close() {}
    func setRunning(_ isRunning: Bool) {}
    func seek(_ token: Int, to seconds: Double, serial: Int) {}
    func scan(_ token: Int, _ direction: ScanDirection) {}
    func announce(_ token: Int, _ item: PlayableItem, volumes: AnnouncementVolumes) {}
    func endAnnouncement() {}
    func playNext() {}
    func stopOutput() {}
    func setSound(_ settings: SoundSettings) {}
    func setGain(percent: Double, isMuted: Bool) {}
}
