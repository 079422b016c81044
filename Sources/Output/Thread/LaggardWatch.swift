import Base

/// Finds readers of a ring that hold the others up. Belongs to one output thread.
///
/// A reader is detached when it has stood still for 1.5 s, or lies 0.6 s behind, while this one goes on. (The
/// ring holds 1 s; a device that hangs in a call cannot detach itself.)
struct LaggardWatch {
    private struct Seen {
        var heard = -1
        var since = MonotonicTime(nanoseconds: 0)
    }

    private var seen = InlineArray<4, Seen>(repeating: Seen())

    /// Looks at all other readers; returns the slot that was detached, if any. `counts` is false for an untimed
    /// output, which is ahead by nature.
    mutating func check(_ ring: SampleRing, slot: Int, heard: Int, at now: MonotonicTime, counts: Bool)
        -> Int?
    {
        for other in 0..<SampleRing.readerLimit where other != slot {
            guard let frame = ring.heard(slot: other), heard > frame else {
                seen[other].heard = -1
                continue
            }
            if seen[other].heard != frame { seen[other] = Seen(heard: frame, since: now) }
            let stands = now - seen[other].since > .milliseconds(1500)
            let isFarBehind = counts && ring.format.seconds(ofFrames: heard - frame) > 0.6
            if stands || isFarBehind {
                ring.eject(slot: other)
                seen[other].heard = -1
                return other
            }
        }
        return nil
    }
}
