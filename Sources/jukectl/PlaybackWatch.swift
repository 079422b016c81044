import Base
import Terminal

/// Waits for an opened item to be heard or to fail.
enum PlaybackWatch {
    /// What has to be observed beforehand, so that nothing is missed.
    static let keys = ["player.state", "player.error", "item"]

    /// Returns when something plays; throws what `player.error` says when an entry of `entries` failed, and
    /// with status 4 after the deadline. Also returns when somebody else paused or stopped it.
    static func waitUntilHeard(_ daemon: Daemon, entries: JSONValue?, until deadline: MonotonicTime?)
        throws(ClientFailure)
    {
        while true {
            if daemon.changedKeys.contains("player.error"), let error = daemon.values["player.error"],
                error != .null, concerns(error, entries, daemon)
            {
                throw .refused(message(error), code: ItemText.text(error["code"]))
            }
            if daemon.values["player.state"] != .string("buffering") { return }
            if try daemon.waitForChange(until: deadline) == .deadline {
                throw ClientFailure(
                    status: .timedOut, message: "it does not play yet; the daemon goes on trying")
            }
        }
    }

    private static func concerns(_ error: JSONValue, _ entries: JSONValue?, _ daemon: Daemon) -> Bool {
        guard case .array(let ids)? = entries, let entry = error["entry"], entry != .null else { return true }
        return ids.contains(entry) || daemon.values["player.state"] == .string("stopped")
    }

    /// The sentence of a `player.error`, with the address that it is about unless the sentence names it.
    static func message(_ error: JSONValue) -> String {
        let message = ItemText.text(error["message"]) ?? "playback failed"
        guard let url = ItemText.text(error["url"]), !message.contains(url) else { return message }
        return "\(message) (\(url))"
    }
}
