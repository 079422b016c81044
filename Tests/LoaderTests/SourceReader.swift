import Base
import Foundation
import Synchronization

/// A folder that goes with its owner.
final class TemporaryFolder {
    let path: String

    /// In memory where there is such a place: a test must not wait for a disk that others keep busy.
    init() throws {
        let memory = "/dev/shm"
        let isThere = FileManager.default.isWritableFile(atPath: memory)
        path = (isThere ? memory + "/" : NSTemporaryDirectory()) + "jb-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func write(_ bytes: [UInt8], to name: String) throws -> String {
        try Data(bytes).write(to: URL(fileURLWithPath: path + "/" + name))
        return path + "/" + name
    }
}

/// Reads a source as a decode thread would, sleeping on its wake point.
struct SourceReader {
    let source: any ByteSource
    private let point = WakePoint()
    private let deadline = MonotonicTime.now + .seconds(60)

    init(_ source: any ByteSource) {
        self.source = source
        source.setWakePoint(point)
    }

    /// One read that waits for its outcome; nil after 20 s.
    func outcome(at offset: Int64, bytes: Int = 65_536) -> (ReadOutcome, [UInt8])? {
        var buffer = [UInt8](repeating: 0, count: bytes)
        while MonotonicTime.now < deadline {
            let outcome = unsafe buffer.withUnsafeMutableBytes { unsafe source.read(at: offset, into: $0) }
            switch outcome {
            case .wait: point.wait(until: deadline)
            case .bytes(let count): return (outcome, Array(buffer[..<count]))
            default: return (outcome, [])
            }
        }
        return nil
    }

    /// Reads until the end, a failure or `limit` bytes.
    func read(from offset: Int64, atMost limit: Int, chunk: Int = 65_536) -> [UInt8] {
        var all: [UInt8] = []
        while all.count < limit {
            let bytes = min(chunk, limit - all.count)
            guard let (outcome, part) = outcome(at: offset + Int64(all.count), bytes: bytes),
                case .bytes = outcome
            else { break }
            all += part
        }
        return all
    }

    /// How the source ends at an offset; nil when it has bytes there.
    func failure(at offset: Int64) -> PlaybackFailure? {
        guard case .failed(let failure)? = outcome(at: offset)?.0 else { return nil }
        return failure
    }

    func isEnd(at offset: Int64) -> Bool { outcome(at: offset)?.0 == .end }
}

/// Where two byte strings differ; nil when they do not. Cheaper than the tests' own comparison of long arrays.
func difference(_ got: [UInt8], _ expected: [UInt8]) -> String? {
    guard got != expected else { return nil }
    let place =
        zip(got, expected).enumerated().first { $1.0 != $1.1 }?.offset ?? min(got.count, expected.count)
    return "\(got.count) bytes, not \(expected.count); other from \(place) on"
}

/// What a source told, to be waited for.
final class EventLog: Sendable {
    private let events = Mutex<[SourceEvent]>([])
    private let point = WakePoint()

    var add: @Sendable (SourceEvent) -> Void {
        { [self] event in
            events.withLock { $0.append(event) }
            point.signal()
        }
    }

    var all: [SourceEvent] { events.withLock { $0 } }

    /// The first event that matches, waited for up to 20 s.
    func wait(for matches: (SourceEvent) -> Bool) -> SourceEvent? {
        let deadline = MonotonicTime.now + .seconds(20)
        while true {
            if let event = all.first(where: matches) { return event }
            if !point.wait(until: deadline) { return nil }
        }
    }
}

extension SourceEvent {
    var isInformation: Bool { if case .information = self { true } else { false } }
    var failure: PlaybackFailure? { if case .failed(let failure) = self { failure } else { nil } }
    var attempt: Int? { if case .reconnecting(let attempt, _, _) = self { attempt } else { nil } }
    var progress: LoadProgress? { if case .progress(let progress) = self { progress } else { nil } }
}
