import Base
import DecoderLink
import Glibc

/// The way to the daemon; without it this process has nothing to do, and ends.
final class DaemonLink {
    let memory: SharedMemory
    private let socket: Int32

    /// Frames in the memory that were not told yet.
    var readyFrames = 0
    /// True once the daemon wants no more of the command that is served.
    private(set) var isAbandoned = false

    init(_ socket: Int32, _ memory: SharedMemory) {
        self.socket = socket
        self.memory = memory
    }

    /// Waits for the daemon's next command.
    func command() -> DecoderRequest {
        isAbandoned = false
        readyFrames = 0
        return receive()
    }

    /// Answers a command.
    func send(_ reply: DecoderReply) {
        let bytes = reply.message.bytes
        guard (try? System.write(socket, bytes[...])) == bytes.count else { exit(0) }
    }

    /// Asks the daemon for bytes from an offset on; returns how many lie in the memory.
    func read(at offset: Int64, count: Int) throws(DecoderRequest.Absence) -> Int {
        send(.read(resource: 0, offset: offset, count: count, readyFrames: readyFrames))
        switch receive() {
        case .bytes(let count, let isTaken):
            if isTaken { readyFrames = 0 }
            return count
        case .noBytes(let absence, let isTaken):
            if isTaken { readyFrames = 0 }
            if absence != .end { isAbandoned = true }
            throw absence
        default: exit(1)
        }
    }

    /// Reads up to that many bytes from an offset, fewer only at the end.
    func bytes(at offset: Int64, count: Int) throws(Stop) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            do throws(DecoderRequest.Absence) {
                let got = try read(at: offset + Int64(bytes.count), count: count - bytes.count)
                unsafe bytes.append(contentsOf: memory.input[..<min(got, count - bytes.count)])
            } catch {
                if error == .end { return bytes }
                throw .abandoned
            }
        }
        return bytes
    }

    /// Gives the daemon a picture, a piece at a time.
    func give(picture: some Collection<UInt8>) {
        var rest = picture[...]
        while !rest.isEmpty {
            let count = memory.write(text: rest)
            send(.portion(bytes: count))
            guard receive() == .goOn else { exit(1) }
            rest = rest.dropFirst(count)
        }
    }

    private func receive() -> DecoderRequest {
        let request = unsafe withUnsafeTemporaryAllocation(byteCount: LinkMessage.byteCount, alignment: 8) {
            buffer -> DecoderRequest? in
            guard let count = try? unsafe System.read(socket, into: buffer), count == buffer.count else {
                return nil
            }
            return unsafe LinkMessage(UnsafeRawBufferPointer(buffer)).flatMap { DecoderRequest($0) }
        }
        // The daemon is gone, or has no more use for this.
        guard let request else { exit(0) }
        return request
    }
}
