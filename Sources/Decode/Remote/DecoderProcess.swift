import Base
import CLinux
import DecoderLink
import Glibc

/// A `jukebox-decoder` that runs, the socket to it and the memory that both see; it ends with this object.
final class DecoderProcess {
    /// Why nothing is to be had of it.
    enum Trouble: Error {
        /// It has ended, by itself or by the system.
        case ended
        /// It says what makes no sense.
        case talksNonsense
    }

    let memory: SharedMemory
    private let process: Int32
    private let socket: FileDescriptor

    /// Starts one. Throws when that cannot be.
    init(_ program: String) throws(SystemError) {
        var ends: [Int32] = [-1, -1]
        try System.check("socketpair") { unsafe jb_message_pair(&ends) }
        let ours = FileDescriptor(owning: ends[0])
        let its = FileDescriptor(owning: ends[1])
        let shared = try SharedMemory.make()
        memory = try SharedMemory(shared.raw)
        process = try ChildProcess.start(program, input: its.raw, output: shared.raw)
        socket = ours
    }

    deinit { ChildProcess.end(process) }

    /// Says something to it.
    func send(_ request: DecoderRequest) throws(Trouble) {
        let bytes = request.message.bytes
        let sent = unsafe Glibc.send(socket.raw, bytes, bytes.count, Int32(MSG_NOSIGNAL))
        guard sent == bytes.count else { throw .ended }
    }

    /// Waits that long for what it says; nil when it said nothing.
    func reply(within limit: Duration) throws(Trouble) -> DecoderReply? {
        var waiting = pollfd(fd: socket.raw, events: Int16(POLLIN), revents: 0)
        let milliseconds = Int32(clamping: limit.nanoseconds / 1_000_000)
        guard unsafe poll(&waiting, 1, milliseconds) > 0 else { return nil }
        return unsafe try withUnsafeTemporaryAllocation(byteCount: LinkMessage.byteCount + 1, alignment: 8) {
            buffer throws(Trouble) -> DecoderReply in
            guard let count = try? unsafe System.read(socket.raw, into: buffer), count > 0 else {
                throw .ended
            }
            let message = unsafe LinkMessage(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            guard let reply = message.flatMap({ DecoderReply($0) }) else { throw .talksNonsense }
            return reply
        }
    }
}
