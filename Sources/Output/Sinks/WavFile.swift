import Base
import CLinux
import Glibc

/// A RIFF WAVE file of 16-bit samples that is being written.
///
/// Source: "Multimedia Programming Interface and Data Specifications 1.0", IBM and Microsoft, 1991.
struct WavFile: ~Copyable {
    private static let headerBytes = 44

    let path: String
    private let file: FileDescriptor
    private(set) var format = AudioFormat(sampleRate: 44_100, channels: 2)
    private var dataBytes = 0

    /// Begins the file anew, empty. Throws what open(2) or write(2) say.
    init(path: String) throws(SystemError) {
        let opened = try System.open(path, O_WRONLY | O_CREAT | O_TRUNC, mode: 0o644)
        try WavFile.write(WavFile.header(AudioFormat(sampleRate: 44_100, channels: 2), 0), to: opened.raw)
        self.path = path
        file = opened
    }

    /// Sets the format; only while there are no samples.
    mutating func setFormat(_ format: AudioFormat) {
        self.format = format
        updateHeader()
    }

    /// Adds samples as they lie in memory. Throws what write(2) says.
    mutating func append(samples: UnsafeRawBufferPointer) throws(SystemError) {
        try unsafe System.writeAll(file.raw, samples)
        dataBytes += samples.count
    }

    /// Makes the header tell what was written so far; on a pipe it stays as it was.
    func updateHeader() {
        let bytes = WavFile.header(format, dataBytes)
        _ = unsafe bytes.withUnsafeBytes { unsafe pwrite(file.raw, $0.baseAddress, $0.count, 0) }
    }

    private static func write(_ bytes: [UInt8], to file: Int32) throws(SystemError) {
        var failure: SystemError?
        unsafe bytes.withUnsafeBytes { buffer in
            do throws(SystemError) { try unsafe System.writeAll(file, buffer) } catch { failure = error }
        }
        if let failure { throw failure }
    }

    /// Sizes beyond 4 GiB stay at the largest that the fields hold; players then read to the end.
    private static func header(_ format: AudioFormat, _ dataBytes: Int) -> [UInt8] {
        let frameBytes = format.channels * 2
        let data = UInt32(clamping: dataBytes)
        var bytes: [UInt8] = Array("RIFF".utf8)
        func add(_ value: some FixedWidthInteger) {
            unsafe withUnsafeBytes(of: value.littleEndian) { unsafe bytes.append(contentsOf: $0) }
        }
        add(UInt32(clamping: dataBytes + WavFile.headerBytes - 8))
        bytes += Array("WAVEfmt ".utf8)
        add(UInt32(16))
        add(UInt16(1))
        add(UInt16(format.channels))
        add(UInt32(format.sampleRate))
        add(UInt32(clamping: format.sampleRate * frameBytes))
        add(UInt16(frameBytes))
        add(UInt16(16))
        bytes += Array("data".utf8)
        add(data)
        return bytes
    }
}
