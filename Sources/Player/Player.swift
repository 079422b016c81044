package import Base

/// The player: the queue, what plays of it, and every observed property of `player`, `item`, `buffer` and `queue`.
///
/// Belongs to the control thread. Commands return at once and throw what makes them senseless; what goes wrong
/// later shows in `player.error`.
package final class Player {
    let engine: any PlaybackEngine
    let timing: any Timing
    let table: PropertyTable
    var queue: Queue

    /// Creates a player that is stopped with an empty queue, and puts its properties into the table.
    package init(
        engine: any PlaybackEngine, timing: any Timing, table: PropertyTable, firstEntryID: Int64 = 1
    ) {
        self.engine = engine
        self.timing = timing
        self.table = table
        queue = Queue(firstID: firstEntryID)
    }

    /// Takes an engine's event; call in the order in which things happened.
    package func handle(_ event: EngineEvent) {}

    /// The system's clock was set: the position's anchor is renewed.
    package func wallClockChanged() {}
}
