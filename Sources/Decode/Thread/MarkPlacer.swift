import Base

/// Places marks in order; holds back those for which a ring has no place yet.
struct MarkPlacer {
    private var lastID = 0
    private var heldBack: [Mark] = []

    /// A number for a mark, never used before.
    mutating func newID() -> Int {
        lastID += 1
        return lastID
    }

    /// Places a mark at the ring's next frame, or holds it back.
    mutating func place(_ mark: Mark, in rings: RingChain) {
        if !heldBack.isEmpty || !rings.mark(mark) { heldBack.append(mark) }
    }

    /// Places what was held back; false while something still is. Nothing may be produced then.
    mutating func placeHeldBack(in rings: RingChain) -> Bool {
        while let mark = heldBack.first {
            if !rings.mark(mark) { return false }
            heldBack.removeFirst()
        }
        return true
    }

    /// Puts what was held back to the start of the ring that succeeds: it is heard at the same moment.
    mutating func carryOver(to rings: RingChain) {
        heldBack = heldBack.map { Mark(frame: rings.produced, kind: $0.kind, id: $0.id) }
        _ = placeHeldBack(in: rings)
    }

    /// Forgets what was held back: its sound is gone.
    mutating func forget() { heldBack = [] }
}
