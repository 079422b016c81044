/// How much JSON one message may hold, counted before anything is parsed.
package struct JSONLimits: Equatable, Sendable {
    /// Values of all kinds; names of members do not count.
    package var values: Int
    /// Arrays and objects within one another.
    package var levels: Int

    package init(values: Int, levels: Int) {
        self.values = values
        self.levels = levels
    }

    /// What a client may send in a line.
    package static let request = JSONLimits(values: 65_536, levels: 32)
    /// What a client takes from its own daemon.
    package static let reply = JSONLimits(values: 4_000_000, levels: 64)
}
