package import Base

/// What an output tells; comes from its own thread.
///
/// `clock`, `mark`, `starved`, `resumed` and `ended` come from the master output only.
package struct OutputEvent: Sendable {
    /// What happened.
    package enum Kind: Sendable {
        /// The device is open; `device` describes it for people, `format` is what it takes.
        case opened(device: String, format: AudioFormat)
        /// The heard line through (`frame`, `at`) holds from now on: it moves at the ring's rate when
        /// `running`, else it stands. Told where it starts, stops, breaks or is off by 0.1 s.
        case clock(ring: Int, frame: Int, at: MonotonicTime, running: Bool)
        /// The ring ran dry while running, and all that was there was heard.
        case starved(ring: Int, frame: Int)
        /// Sound goes on after `starved`.
        case resumed(ring: Int, frame: Int)
        /// The mark's frame is heard since `at`.
        case mark(ring: Int, Mark, at: MonotonicTime)
        /// The last frame of an ended ring without a successor was heard.
        case ended(ring: Int)
        /// The device ran out of frames although there were some: so many times since it was opened.
        case underrun(count: Int)
        /// The device is closed and free.
        case closed
        /// The device cannot be opened; it is tried again while something is to be played.
        case failed(String)
        /// The device went away while open; it is tried again.
        case lost(String)
        /// The device is open again after `failed` or `lost`.
        case back
        /// The automatic output found no sound card and plays to null; told after each `opened`.
        case fallback(String)
        /// What is wrong though it plays on, such as that nobody hears it; nil once that is over.
        case remark(String?)
        /// Another program has set the card's own volume, or it was opened for the first time: 0 to 100.
        case volume(percent: Double, isMuted: Bool)
        /// That other output held this one up and no longer reads the ring; it asks for it when it can.
        case leftBehind(slot: Int)
        /// This output wants to read the current ring: have the producer attach `slot`, then `join`.
        case wantsRing
    }

    /// The output's place in the list of outputs, and its reader slot.
    package let slot: Int
    package let kind: Kind
}
