import Base

/// An output that is not the master stays with the master's clock.
extension OutputLoop {
    /// Compares the two lines; true when the device was halted for a jump.
    func followMaster(_ feed: Feed) -> Bool {
        guard let master = roster.master, master != slot, !sink.isUntimed,
            let other = roster.clocks[master].current, other.running, other.ring == line.ring
        else {
            drift.reset()
            return false
        }
        let lead = line.frame - other.frame(at: line.at)
        if sink.delayClock(byFrames: lead / 4) { return false }
        guard drift.measure(lead: Double(lead), sampleRate: line.rate) else { return false }
        jump(feed, lead: lead)
        return true
    }

    /// Behind: goes on where the master is. Ahead: is silent until the master has come.
    private func jump(_ feed: Feed, lead: Int) {
        fadeOutAndHalt()
        if lead < 0 {
            feed.skip(to: feed.heard - lead)
        } else {
            heldUntil = .now + .seconds(clamping: feed.ring.format.seconds(ofFrames: lead))
        }
        fadesIn = sink.allowsFades
        stand()
    }
}
