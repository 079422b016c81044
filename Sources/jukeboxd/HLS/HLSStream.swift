import Base
import Decode
import Playlist

/// A stream of HLS that is being loaded: its playlist, again and again while it is live, and its pieces in order.
///
/// Confined to the thread of streams, which it never lets wait.
final class HLSStream {
    /// Pieces in a row that cannot be had, after which what came whole is given up.
    private static let mostMissing = 3
    /// How long a live stream may give nothing.
    static let patience = Duration.seconds(120)
    /// How often progress is told.
    private static let progressInterval = Duration.milliseconds(200)
    /// How long a playlist may take.
    static let readingPatience = Duration.seconds(15)
    private static let least = Duration.milliseconds(20)
    private static let never = Duration.seconds(3600)
    /// Pieces before the end where a live stream is begun, so that the next one comes before these are over.
    static let piecesFromEnd = 3

    let source: HLSSource
    let door: HLSDoor
    let wake: WakePoint
    let name: String

    // MARK: The playlist

    /// Where names in the playlist belong to.
    var origin: PlaylistOrigin
    /// Playlists that hold the same sound, in the order in which they are tried.
    var choices: [String] = []
    /// The one that is read anew; nil while it is the first.
    var address: (url: String, mayLeadToThisMachine: Bool)
    var reading: HLSReading?
    var reloadAt = MonotonicTime.now
    var lastNews = MonotonicTime.now
    var list: MediaPlaylist?
    var isLive = false

    // MARK: Pieces

    let keys = HLSKeys()
    /// The number of the piece that comes next.
    var next = 0
    var part: HLSPart
    /// What stands at the start of the part.
    var header: MediaPlaylist.Place?
    private var piece: HLSPiece?
    private var isPieceHeader = false
    private var tags = PackedTags()
    private var missing = 0
    private var lastFailure: PlaybackFailure?
    /// Why nothing more comes.
    private var failure: PlaybackFailure?
    var isGap = false

    // MARK: Progress

    private var received: Int64 = 0
    private var toldAt = MonotonicTime(nanoseconds: 0)
    private var hasReceived = false

    init(_ request: HLSThread.Request, wake: WakePoint) {
        source = request.source
        door = request.door
        self.wake = wake
        name = request.document.name
        origin = request.document.origin
        address = (origin.url, origin.mayLeadToThisMachine)
        part = source.first
        takePlaylist(request.document.bytes)
    }

    /// Does what can be done now; when to do it again at the latest, or nil when nobody wants it any more.
    func advance(_ scratch: UnsafeMutableRawBufferPointer) -> MonotonicTime? {
        if source.isClosed {
            piece?.close()
            reading?.close()
            return nil
        }
        takeWanted()
        unsafe readPlaylist(scratch)
        while !part.hasEnded, !part.isFull, unsafe step(scratch) {}
        return deadline
    }

    /// Bytes, room and wishes wake the thread; only what takes too long, and the next edition, are waited for.
    private var deadline: MonotonicTime {
        if part.hasEnded { return .now + Self.never }
        if let reading { return reading.began + Self.readingPatience }
        guard isLive, !part.isFull, list?.isComplete == false || piece != nil else {
            return .now + Self.never
        }
        let late = piece.map { $0.began + patienceWithPiece } ?? reloadAt
        return max(min(late, list?.isComplete == true ? late : reloadAt), .now + Self.least)
    }

    /// Ends all with the reason.
    func fail(_ failure: PlaybackFailure) {
        self.failure = failure
        door.note(.error, failure.message)
        part.end(failure)
    }

    private func takeWanted() {
        guard let wanted = source.takeWanted() else { return }
        piece?.close()
        piece = nil
        begin(wanted)
        isGap = false
        missing = 0
        guard let list else {
            if let failure { wanted.end(failure) }
            return
        }
        next = isLive ? edge(of: list) : wanted.index
    }

    /// What is loaded from now on belongs to another part.
    private func begin(_ new: HLSPart) {
        part = new
        header = nil
        tags = PackedTags()
    }

    // MARK: Pieces

    /// Takes what is here of a piece, or begins one; false when there is nothing to do.
    private func step(_ scratch: UnsafeMutableRawBufferPointer) -> Bool {
        guard let piece else { return beginPiece() }
        switch unsafe piece.read(scratch) {
        case .bytes(let bytes): takeSound(bytes)
        case .end: endPiece()
        case .failed(let failure): miss(failure)
        case .waiting:
            guard isLive, piece.began + patienceWithPiece < .now else { return false }
            miss(PlaybackFailure(.timeout, "\(URLMask.shown(piece.place.url)) does not come."))
        }
        return true
    }

    private var patienceWithPiece: Duration { .seconds(clamping: max(8, 3 * (list?.targetSeconds ?? 0))) }

    private func beginPiece() -> Bool {
        guard let list, let first = list.segments.first, let last = list.segments.last else { return false }
        if next < first.number {
            next = isLive ? edge(of: list) : first.number
            isGap = true
        }
        guard next <= last.number else {
            if list.isComplete { finish() }
            return false
        }
        let segment = list.segments[next - first.number]
        if isGap || segment.isBreak, !part.isEmpty || isGap && !isLive {
            let index = next - first.number
            let seconds = isLive ? 0 : list.segments[..<index].reduce(0) { $0 + $1.seconds }
            let new = HLSPart(index: index, seconds: seconds, isAfterGap: isGap, writer: wake)
            flushTags()
            source.append(new)
            part.end()
            begin(new)
        }
        isGap = false
        isPieceHeader = segment.header != nil && header != segment.header
        let place = isPieceHeader ? segment.header ?? segment.place : segment.place
        let mayBeLocal = origin.mayLeadToThisMachine
        piece = HLSPiece(place, number: segment.number, keys: keys, wake: wake) { [door] url in
            door.open(url, mayBeLocal, false)
        }
        if !isPieceHeader {
            let before = tags.beginPiece()
            part.write(before.sound, before.tags)
        }
        return true
    }

    private func takeSound(_ bytes: [UInt8]) {
        if isPieceHeader {
            part.write(bytes, [])
        } else {
            let found = tags.take(bytes)
            part.write(found.sound, found.tags)
        }
        received += Int64(bytes.count)
        if !hasReceived { door.tell(.receiving) }
        hasReceived = true
        lastNews = .now
        tellProgress(isComplete: false)
    }

    private func endPiece() {
        piece?.close()
        piece = nil
        missing = 0
        guard let list, let first = list.segments.first else { return }
        if isPieceHeader {
            header = list.segments.first { $0.number == next }?.header
        } else {
            if list.segments.indices.contains(next - first.number) {
                part.endPiece(seconds: list.segments[next - first.number].seconds)
            }
            next += 1
        }
    }

    /// A piece cannot be had: the next one is tried.
    private func miss(_ failure: PlaybackFailure) {
        piece?.close()
        piece = nil
        missing += 1
        lastFailure = failure
        door.note(.error, "a piece is left out: \(failure.message)")
        if !isLive, missing >= Self.mostMissing { return fail(failure) }
        next += 1
        isGap = true
    }

    private func flushTags() {
        let before = tags.end()
        part.write(before.sound, before.tags)
    }

    private func finish() {
        if !hasReceived, let lastFailure { return fail(lastFailure) }
        flushTags()
        part.end()
        tellProgress(isComplete: true)
    }

    private func tellProgress(isComplete: Bool) {
        guard isComplete || toldAt + Self.progressInterval < .now else { return }
        toldAt = .now
        door.tell(
            .progress(LoadProgress(receivedBytes: received, ranges: [0..<received], isComplete: isComplete)))
    }
}
