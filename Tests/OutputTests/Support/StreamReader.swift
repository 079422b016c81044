import Base
import CLinux
import Foundation

/// Somebody who reads what an output sends: the other end of a FIFO, or a server that one connection at a time comes to.
final class StreamReader: Sendable {
    private struct State {
        var bytes: [UInt8] = []
        var isEnding = false
    }

    private let state = Guarded(State())
    private let ended = WakePoint()

    /// Reads a FIFO, which is made where it is missing.
    init(fifo path: String) throws {
        _ = unsafe mkfifo(path, 0o600)
        let file = try System.open(path, O_RDONLY | O_NONBLOCK)
        try begin(file.release())
    }

    /// Reads what comes to a socket, which listens from now on.
    init(socket: Int32) throws {
        listen(socket, 4)
        try begin(socket, accepts: true)
    }

    /// A socket on a free port of this machine, which does not listen yet.
    static func socket() -> (number: Int32, port: Int) {
        let number = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        _ = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe bind(number, address, length) + getsockname(number, address, &length)
            }
        }
        return (number, Int(UInt16(bigEndian: address.sin_port)))
    }

    /// What has come.
    var bytes: [UInt8] { state.withLock { $0.bytes } }

    /// What has come after the silence at the start, as 16-bit samples.
    var samples: [Int16] {
        let bytes = bytes
        let all = stride(from: 0, to: bytes.count - 1, by: 2).map {
            Int16(truncatingIfNeeded: Int(bytes[$0]) | Int(bytes[$0 + 1]) << 8)
        }
        return Array(all.drop { $0 == 0 })
    }

    /// What has come on the left of two channels, without silence.
    var sounding: [Int] {
        let samples = samples
        return stride(from: 0, to: samples.count, by: 2).map { Int(samples[$0]) }.filter { $0 != 0 }
    }

    /// Leaves; returns when the descriptor is closed.
    func leave() {
        state.withLock { $0.isEnding = true }
        ended.wait()
    }

    private func begin(_ number: Int32, accepts: Bool = false) throws {
        try Thread.start(name: "reader") { [self] in
            var open = accepts ? -1 : number
            let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 8)
            while !state.withLock({ $0.isEnding }) {
                var entry = pollfd(fd: open < 0 ? number : open, events: Int16(POLLIN), revents: 0)
                guard unsafe poll(&entry, 1, 20) > 0 else { continue }
                if open < 0 {
                    open = accept(number, nil, nil)
                    continue
                }
                let count = unsafe read(open, chunk.baseAddress, chunk.count)
                if count > 0 { state.withLock { unsafe $0.bytes.append(contentsOf: chunk[..<count]) } }
                if count == 0 { usleep(1000) }
            }
            unsafe chunk.deallocate()
            if open >= 0, open != number { close(open) }
            close(number)
            ended.signal()
        }
    }
}
