package import Base

/// Where playback is, by the anchor that the daemon told: a clock that asks nobody.
package enum PlaybackText {
    /// When the position shows another second; nil while it stands.
    package static func nextSecond(_ values: [String: JSONValue]) -> MonotonicTime? {
        guard let rate = values["player.position"]?["rate"]?.number, rate > 0 else { return nil }
        let fraction = seconds(values).truncatingRemainder(dividingBy: 1)
        return .now + .seconds(clamping: (1.001 - fraction) / rate)
    }

    /// The position, and the duration where it is known: `1:23 / 4:05`.
    package static func position(_ values: [String: JSONValue]) -> String {
        let here = ClockText.write(seconds(values))
        if values["item.live"] == .bool(true) { return "\(here) (live)" }
        guard let duration = values["item.duration"]?.number else { return here }
        return "\(here) / \(ClockText.write(duration))"
    }

    /// How far the item is, in 20 columns and a blank; empty where its end is not known.
    package static func bar(_ values: [String: JSONValue]) -> String {
        guard let duration = values["item.duration"]?.number, duration > 0 else { return "" }
        return ProgressBar.text(seconds(values) / duration, columns: 20) + " "
    }

    private static func seconds(_ values: [String: JSONValue]) -> Double {
        guard let anchor = values["player.position"], let start = anchor["seconds"]?.number else { return 0 }
        guard let rate = anchor["rate"]?.number, rate != 0, let since = anchor["monotonic"]?.number else {
            return start
        }
        let now = start + max(0, Clocks.bootTime - since) * rate
        return min(now, values["item.duration"]?.number ?? now)
    }
}
