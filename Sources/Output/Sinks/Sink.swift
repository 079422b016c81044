import Base
import CLinux

/// Why a device does not go on.
enum SinkFailure: Error, Equatable {
    /// It ran out of frames; after `halt` it takes frames again.
    case underrun
    /// The machine slept; goes on like after an underrun.
    case suspended
    /// Another program uses it.
    case busy(String)
    /// It cannot be used; the text says why.
    case gone(String)

    /// The text for people.
    var reason: String {
        switch self {
        case .underrun: "underrun"
        case .suspended: "suspended"
        case .busy(let text), .gone(let text): text
        }
    }
}

/// A device, as an output thread uses it. All calls come from that thread; only `open` may block.
///
/// Frames are counted in the device's own format. After `open` and after `halt` it is empty and still.
protocol Sink: AnyObject {
    /// Opens for that source, or adapts an open device to it; the result is what it takes.
    func open(for source: AudioFormat) throws(SinkFailure) -> SinkFormat

    /// Frames that can be written now, and those written but not heard yet.
    func status() throws(SinkFailure) -> (room: Int, unheard: Int)

    /// Takes frames in the device's format; returns how many, perhaps fewer.
    func write(_ bytes: UnsafeRawBufferPointer, frames: Int) throws(SinkFailure) -> Int

    /// Makes it ready for frames that come at once; throws when it is gone. `write` does it where it is missing.
    func prepare() throws(SinkFailure)

    /// Begins to play what was written.
    func start() throws(SinkFailure)

    /// Stops at once and drops the rest; returns the frames dropped, nil where that cannot be known.
    func halt() throws(SinkFailure) -> Int?

    /// Closes and frees the device; harmless when closed.
    func close()

    /// Lets go what is kept while nothing is played, too; after `close`.
    func leave()

    /// Puts what to poll for room of a period at the start of the buffer, and says how many; 0 where time
    /// alone tells.
    func fillPoll(_ entries: UnsafeMutableBufferPointer<pollfd>) -> Int

    /// Sees what became of the entries that `fillPoll` made.
    func polled(_ entries: UnsafeMutableBufferPointer<pollfd>)

    /// True for a device that takes frames as fast as they come.
    var isUntimed: Bool { get }

    /// Moves the device's own clock, so that `frames` fewer were due by now; false for a clock that nobody can
    /// move, a card's.
    func delayClock(byFrames frames: Int) -> Bool

    /// True where frames written can be taken back.
    var canRewind: Bool { get }

    /// Takes back the last frames written, as far as they are not played; returns how many.
    func rewind(frames: Int) -> Int

    /// True for a device whose heard sound may be faded at pauses, as it is not kept sample for sample.
    var allowsFades: Bool { get }

    /// True for a device where sound that is cut off fades out, and what is heard in its place fades in.
    var fadesCuts: Bool { get }

    /// What keeps the sound from being heard although the device takes it; nil for nothing.
    var trouble: String? { get }

    /// Kind, device and format in a few words for people.
    var description: String { get }
}

extension Sink {
    func prepare() throws(SinkFailure) {}
    func leave() {}
    var trouble: String? { nil }
}
