import Foundation

/// A WAV file as read back.
struct Wav {
    var rate = 0
    var channels = 0
    var samples: [Int16] = []
    /// Bytes that the header promises for the samples.
    var promisedBytes = 0

    init(_ path: String) throws {
        let data = try Data(contentsOf: URL(fileURLWithPath: path))
        guard data.count >= 44 else { return }
        func number(_ offset: Int, _ bytes: Int) -> Int {
            (0..<bytes).reduce(0) { $0 | Int(data[offset + $1]) << (8 * $1) }
        }
        channels = number(22, 2)
        rate = number(24, 4)
        promisedBytes = number(40, 4)
        samples = stride(from: 44, to: data.count - 1, by: 2).map {
            Int16(truncatingIfNeeded: number($0, 2))
        }
    }

    var frames: Int { samples.count / max(1, channels) }
}

/// A folder that goes with the test.
final class ScratchFolder {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "jukeboxd-test-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func file(_ name: String) -> String { path + "/" + name }
}
