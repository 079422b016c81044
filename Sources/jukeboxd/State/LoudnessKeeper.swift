import Base
import Player
import Store

/// Keeps what was measured of how loud things are in the database. Control thread.
enum LoudnessKeeper {
    /// Gives the engine what earlier runs have measured, and writes what it measures.
    static func connect(_ engine: Engine, _ keeper: StateKeeper, _ loop: EventLoop, _ rows: [LoudnessRow]) {
        for row in rows {
            engine.loudness.note(MeasuredLoudness(lufs: row.lufs, seconds: row.seconds), for: row.key)
        }
        engine.hearLoudness = { [unowned keeper, unowned loop] key, found in
            let row = LoudnessRow(key: key, lufs: found.lufs, seconds: found.seconds, at: loop.unixTime)
            keeper.write { (file) throws(StoreError) in try file.loudness.put(row) }
        }
    }
}
