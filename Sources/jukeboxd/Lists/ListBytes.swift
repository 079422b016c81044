import Base
import Playlist

/// The bytes of a resource that may be a playlist, as far as they came.
struct ListBytes {
    enum State {
        /// More must come.
        case waiting
        case whole
        /// It is no text, or a text too long for a list.
        case noText, tooLong
        case failed(PlaybackFailure)
    }

    let source: any ByteSource
    private(set) var bytes: [UInt8] = []
    private var isText = false

    init(_ source: any ByteSource) { self.source = source }

    /// Takes what is here.
    mutating func read(_ scratch: UnsafeMutableRawBufferPointer) -> State {
        while true {
            switch unsafe source.read(at: Int64(bytes.count), into: scratch) {
            case .bytes(let count):
                unsafe bytes.append(contentsOf: scratch[..<count])
                if !isText, bytes.count >= PlaylistFormat.headBytes {
                    guard PlaylistFormat.mayBegin(with: bytes) else { return .noText }
                    isText = true
                }
                if bytes.count > Playlist.mostBytes { return .tooLong }
            case .wait: return .waiting
            case .end, .gone: return .whole
            case .failed(let failure): return .failed(failure)
            }
        }
    }
}
