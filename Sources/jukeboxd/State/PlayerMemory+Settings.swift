import Base
import Player
import Store

extension PlayerMemory {
    /// What was kept; where something is missing, as it is at first.
    init(_ settings: [String: SQLValue]) {
        self.init()
        if case .text(let word)? = settings["wish"] {
            wish = word == "playing" ? .playing : word == "paused" ? .paused : .stopped
        }
        if case .integer(let number)? = settings["index"] { index = Int(clamping: number) }
        if case .integer(let number)? = settings["next_id"] { nextID = max(1, number) }
        if let number = settings["volume"]?.number { volume = number }
        isMuted = settings["muted"] == .integer(1)
        if case .text(let word)? = settings["repeat"] { modes.repeats = .init(rawValue: word) ?? .off }
        modes.isShuffled = settings["shuffle"] == .integer(1)
        modes.isConsuming = settings["consume"] == .integer(1)
        if case .text(let word)? = settings["replay_gain"] {
            sound.replayGain = .init(rawValue: word) ?? .off
        }
        if let number = settings["crossfade"]?.number { sound.crossfade = number }
        sleepAt = settings["sleep_at"]?.number
        if let number = settings["position"]?.number { position = number }
    }

    /// Writes what differs. Store thread.
    func write(to settings: SettingsTable) throws(StoreError) {
        let word = wish == .playing ? "playing" : wish == .paused ? "paused" : "stopped"
        try settings.set("wish", .text(word))
        try settings.set("index", .optional(index.map { Int64($0) }))
        try settings.set("next_id", .integer(nextID))
        try settings.set("volume", .real(volume))
        try settings.set("muted", .integer(isMuted ? 1 : 0))
        try settings.set("repeat", .text(modes.repeats.rawValue))
        try settings.set("shuffle", .integer(modes.isShuffled ? 1 : 0))
        try settings.set("consume", .integer(modes.isConsuming ? 1 : 0))
        try settings.set("replay_gain", .text(sound.replayGain.rawValue))
        try settings.set("crossfade", .real(sound.crossfade))
        try settings.set("sleep_at", .optional(sleepAt))
        try settings.set("position", .real(position))
    }
}

extension SQLValue {
    /// The number, of either kind; nil for what is none.
    var number: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .real(let number): number
        default: nil
        }
    }
}

/// The ids of a round of chance as bytes, eight each, the lowest first.
enum RoundBytes {
    static func write(_ ids: [Int64]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(ids.count * 8)
        for id in ids {
            for shift in stride(from: 0, to: 64, by: 8) {
                bytes.append(UInt8(truncatingIfNeeded: id >> shift))
            }
        }
        return bytes
    }

    static func read(_ value: SQLValue?) -> [Int64] {
        guard case .blob(let bytes)? = value else { return [] }
        return stride(from: 0, to: bytes.count - 7, by: 8).map { start in
            bytes[start..<(start + 8)].reversed().reduce(0) { $0 << 8 | Int64($1) }
        }
    }
}
