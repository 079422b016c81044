import Base
import CLinux

/// ALSA's default device, as long as it has not been found missing.
final class AutomaticSink: Sink {
    /// True once the device was there: from then on it is waited for.
    private(set) var hasOpened = false
    let isUntimed = false
    let allowsFades = true
    func open(for source: AudioFormat) throws(SinkFailure) -> SinkFormat { throw .gone("no card") }
    func status() throws(SinkFailure) -> (room: Int, unheard: Int) { throw .gone("no card") }
    func write(_ bytes: UnsafeRawBufferPointer, frames: Int) throws(SinkFailure) -> Int { 0 }
    func start() throws(SinkFailure) {}
    func halt() throws(SinkFailure) -> Int? { 0 }
    func close() {}
    func fillPoll(_ entries: UnsafeMutableBufferPointer<pollfd>) -> Int { 0 }
    var description: String { "alsa" }
}
