import Base

/// The source of what cannot be opened at all: every read fails the same way.
final class FailedSource: ByteSource {
    let failure: PlaybackFailure
    let information: ContentInformation? = nil

    init(_ failure: PlaybackFailure) { self.failure = failure }

    func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) -> ReadOutcome {
        .failed(failure)
    }
    func bytesAvailable(from offset: Int64) -> Int64 { 0 }
    func takeMetadata(upTo offset: Int64) -> [TimedMetadata] { [] }
    func setWakePoint(_ point: WakePoint?) {}
    func close() {}
}
