import Base
import Glibc

/// A reader elsewhere who takes sound in one format and in real time, such as Snapcast's server.
///
/// What a reader has in hand before it runs dry is `lead`: silence that goes ahead of the first sound, and again
/// after a break. So sound is sent when the clock comes to it and never sooner, and what a pause leaves unheard
/// was not sent. A reader who is away or takes nothing misses what is due meanwhile; nobody waits for it.
final class Broadcast: Tape {
    let allowsFades = true
    private let format: StreamFormat
    private let line: any BroadcastLine
    /// What the line did not take yet; begins and ends anywhere in a frame, and with a frame.
    private var backlog: ByteQueue
    private let capacity: Int
    /// Bytes of the frame that the line took a part of.
    private var split = 0
    /// When a reader in real time will have read all that was sent.
    private var emptyAt = MonotonicTime(nanoseconds: 0)
    private var isOverrun = false

    /// Opens nothing yet.
    init(_ line: any BroadcastLine, _ format: StreamFormat) {
        self.line = line
        self.format = format
        // A write after a late wake-up is 0.2 s; what is older than this is not worth hearing.
        capacity = format.bytes(in: max(format.lead, .milliseconds(250)))
        backlog = ByteQueue(capacity: capacity)
    }

    var encoding: SampleEncoding { format.encoding }

    var isBehind: Bool { backlog.count > 0 }

    var trouble: String? {
        line.absence ?? (isOverrun ? "\(line.description): its reader takes no sound, which is lost" : nil)
    }

    var description: String { line.description }

    func begin() throws(SinkFailure) { _ = try connect() }

    /// Waits a moment for a reader, so that the beginning is not lost to one who is on the way.
    func format(for source: AudioFormat) throws(SinkFailure) -> AudioFormat {
        let deadline = MonotonicTime.now + .milliseconds(400)
        while try !connect(), line.absence == nil, .now < deadline { usleep(10_000) }
        return format.audio
    }

    func start() throws(SinkFailure) {
        if try connect() { lead() }
    }

    func append(_ samples: UnsafeRawBufferPointer) throws(SinkFailure) {
        if try connect() { unsafe push(samples) }
    }

    func rest() {}

    /// A reader is kept: to find it again takes time, and nobody else can use it.
    func close() {
        if !line.isOpen { leave() }
    }

    func leave() {
        line.close()
        forget()
    }

    // MARK: Sending

    /// True when there is a reader; a new one gets the lead first.
    private func connect() throws(SinkFailure) -> Bool {
        if line.isOpen { return true }
        guard try line.open() else { return false }
        forget()
        lead()
        return line.isOpen
    }

    private func forget() {
        backlog.removeAll()
        split = 0
        emptyAt = .now
        isOverrun = false
    }

    /// Sends silence until the reader has the lead in hand; a lead that is half there will do.
    private func lead() {
        let missing = format.lead - max(.zero, emptyAt - .now)
        guard missing > format.lead / 2 else { return }
        unsafe withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 16) { silence in
            unsafe silence.initializeMemory(as: UInt8.self, repeating: 0)
            var rest = format.bytes(in: missing)
            while rest > 0 {
                let part = min(rest, 4096 - 4096 % format.frameBytes)
                unsafe push(UnsafeRawBufferPointer(rebasing: silence[..<part]))
                rest -= part
            }
        }
    }

    /// Sends whole frames, behind those that wait; what is not taken waits, or is lost where that is too much.
    private func push(_ frames: UnsafeRawBufferPointer) {
        let seconds = Double(frames.count) / Double(format.frameBytes * format.audio.sampleRate)
        emptyAt = max(emptyAt, .now) + .seconds(clamping: seconds)
        while backlog.count > 0 {
            let taken = unsafe send(backlog.front(atMost: .max))
            if taken == 0 { break }
            backlog.removeFirst(taken)
        }
        var rest = unsafe frames
        if backlog.count == 0 {
            isOverrun = false
            while unsafe !rest.isEmpty {
                let taken = unsafe send(rest)
                if taken == 0 { break }
                unsafe rest = UnsafeRawBufferPointer(rebasing: rest[taken...])
            }
        }
        guard unsafe !rest.isEmpty, line.isOpen else { return }
        if backlog.count + rest.count > capacity { dropBacklog() }
        unsafe backlog.append(rest, count: rest.count)
    }

    /// Sends some bytes; returns how many were taken.
    private func send(_ bytes: UnsafeRawBufferPointer) -> Int {
        guard line.isOpen else { return 0 }
        let taken = unsafe line.send(bytes)
        split = (split + taken) % format.frameBytes
        return taken
    }

    /// The oldest sound goes, but for the rest of a frame that was begun.
    private func dropBacklog() {
        let begun = split == 0 ? 0 : format.frameBytes - split
        backlog.removeLast(backlog.count - begun)
        emptyAt = .now + format.lead
        isOverrun = true
    }
}

/// The way to a reader: bytes, in order, as many as it takes. Belongs to one output thread; nothing here waits.
protocol BroadcastLine: AnyObject {
    /// True while there is a reader.
    var isOpen: Bool { get }

    /// Why there is no reader, for people; nil while there is one, and before the first attempt.
    var absence: String? { get }

    /// The place for people.
    var description: String { get }

    /// Looks for a reader, if it is time to; true when there is one. Throws when there cannot be one.
    func open() throws(SinkFailure) -> Bool

    /// Gives bytes to the reader; returns how many it took. It may be gone after that.
    func send(_ bytes: UnsafeRawBufferPointer) -> Int

    /// Leaves the reader; harmless when there is none.
    func close()
}
