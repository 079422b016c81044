import Base
import Loader
import Playlist

/// A piece of a stream that is being loaded, or what must stand before it; confined to the thread of streams.
final class HLSPiece {
    enum State {
        /// More must come.
        case waiting
        case bytes([UInt8])
        case end
        case failed(PlaybackFailure)
    }

    private static let keyBytes = 16

    let place: MediaPlaylist.Place
    let began = MonotonicTime.now
    private let number: Int
    private let open: (String) -> any ByteSource
    private let keys: HLSKeys
    private let wake: WakePoint
    private var source: (any ByteSource)?
    private var keySource: (any ByteSource)?
    private var keyPart: [UInt8] = []
    private var cipher: BlockDecryption?
    private var offset: Int64

    /// `number`: of the piece, which its encryption may begin with.
    init(
        _ place: MediaPlaylist.Place, number: Int, keys: HLSKeys, wake: WakePoint,
        open: @escaping (String) -> any ByteSource
    ) {
        self.place = place
        self.number = number
        self.keys = keys
        self.wake = wake
        self.open = open
        offset = place.range?.lowerBound ?? 0
    }

    /// Nothing of it is loaded any more.
    func close() {
        source?.close()
        keySource?.close()
    }

    func read(_ scratch: UnsafeMutableRawBufferPointer) -> State {
        if let key = place.key, cipher == nil {
            if let state = unsafe readKey(key, scratch) { return state }
        }
        let source = source ?? begin(place.url)
        self.source = source
        let left = place.range.map { $0.upperBound - offset } ?? .max
        if left <= 0 { return finish() }
        let room = unsafe UnsafeMutableRawBufferPointer(
            rebasing: scratch[..<min(scratch.count, Int(clamping: left))])
        switch unsafe source.read(at: offset, into: room) {
        case .bytes(let count):
            offset += Int64(count)
            return take(unsafe Array(room[..<count]))
        case .wait: return .waiting
        case .end: return finish()
        case .gone: return .failed(PlaybackFailure(.corrupt, "Bytes of it are gone."))
        case .failed(let failure): return .failed(failure)
        }
    }

    private func begin(_ url: String) -> any ByteSource {
        let source = open(url)
        source.setWakePoint(wake)
        return source
    }

    private func take(_ bytes: [UInt8]) -> State {
        guard cipher != nil else { return .bytes(bytes) }
        guard let plain = cipher?.take(bytes) else { return .failed(Self.noCipher) }
        return .bytes(plain)
    }

    /// The end: of what was encrypted the last block is still held.
    private func finish() -> State {
        guard cipher != nil else { return .end }
        guard let plain = cipher?.end() else {
            return .failed(PlaybackFailure(.corrupt, "\(URLMask.shown(place.url)) is encrypted and cut."))
        }
        return plain.isEmpty ? .end : .bytes(plain)
    }

    // MARK: Encryption

    private static let noCipher = PlaybackFailure(.internal, "There is no library for AES.")

    /// Reads the key where it is not known; nil once it is.
    private func readKey(_ key: MediaPlaylist.Key, _ scratch: UnsafeMutableRawBufferPointer) -> State? {
        if let known = keys[key.url] { return useKey(known, key) }
        let source = keySource ?? begin(key.url)
        keySource = source
        switch unsafe source.read(at: Int64(keyPart.count), into: scratch) {
        case .bytes(let count):
            unsafe keyPart += scratch[..<count]
            guard keyPart.count >= Self.keyBytes else { return unsafe readKey(key, scratch) }
            keys.add(Array(keyPart.prefix(Self.keyBytes)), for: key.url)
            source.close()
            return unsafe readKey(key, scratch)
        case .failed(let failure): return .failed(failure)
        case .wait: return .waiting
        case .end, .gone: return .failed(PlaybackFailure(.corrupt, "\(URLMask.shown(key.url)) is no key."))
        }
    }

    private func useKey(_ bytes: [UInt8], _ key: MediaPlaylist.Key) -> State? {
        let ofNumber = (0..<Self.keyBytes).map { index in
            let shift = 8 * (Self.keyBytes - 1 - index)
            return shift < 64 ? UInt8(truncatingIfNeeded: UInt64(number) >> UInt64(shift)) : 0
        }
        cipher = BlockDecryption(key: bytes, vector: key.vector ?? ofNumber)
        return cipher == nil ? .failed(Self.noCipher) : nil
    }
}
