import Base
import DecoderLink
import Glibc
import Sandbox

/// Speaks as `jukebox-decoder` does and misbehaves as the first word of what it is to decode says, behind `OggS `.
@main
enum Main {
    static func main() {
        guard let memory = try? SharedMemory(STDOUT_FILENO) else { exit(2) }
        var probe = Probe(memory: memory)
        probe.run()
    }
}

private struct Probe {
    let memory: SharedMemory
    private var way = ""
    private var count = 0

    init(memory: SharedMemory) { self.memory = memory }

    mutating func run() -> Never {
        while true {
            switch receive() {
            case .open: open()
            case .decode(let frames): decode(frames)
            default: send(.end)
            }
        }
    }

    private mutating func open() {
        send(.read(resource: 0, offset: 0, count: 64, readyFrames: 0))
        guard case .bytes(let count, _) = receive() else { exit(1) }
        let bytes = unsafe Array(memory.input[..<count])
        way = String(decoding: bytes.dropFirst(5).prefix { $0 > 32 }, as: UTF8.self)
        var information = LinkInformation()
        (information.sampleRate, information.channels) = (8000, 1)
        switch way {
        case "crash-at-start": abort()
        case "hang-at-start": hang()
        case "lie": information.channels = 200
        case "pictures": for _ in 0..<100 { send(.portion(bytes: SharedMemory.textBytes)); _ = receive() }
        case "sandbox": tellSandbox(&information)
        default: break
        }
        send(.opened(textBytes: memory.write(text: information.bytes)))
    }

    private mutating func decode(_ frames: Int) {
        count += 1
        if way == "well" || (way != "nothing" && count < 4) {
            unsafe memory.samples[0] = count == 2 ? .nan : .infinity
            for index in 1..<frames { unsafe memory.samples[index] = 0.25 }
            return send(.frames(frames, offset: 0))
        }
        switch way {
        case "crash": abort()
        case "hang": hang()
        case "talk": send(.metadata(textBytes: memory.write(text: chatter)))
        case "nonsense": send(Array(repeating: 0xEE, count: LinkMessage.byteCount))
        case "short": send([1, 2, 3])
        case "too-many": send(.frames(SharedMemory.mostFrames, offset: 0))
        case "far": send(.read(resource: 0, offset: 1 << 60, count: 1, readyFrames: 0))
        case "ask":
            while true { send(.read(resource: 0, offset: 0, count: 1, readyFrames: 0)); _ = receive() }
        default: send(.end)
        }
    }

    private var chatter: [UInt8] {
        var fields = LinkFields()
        fields.add("TITLE".utf8, "\(count)".utf8)
        var writer = LinkTextWriter()
        fields.write(to: &writer)
        return writer.bytes
    }

    /// What came of what is forbidden in there, as tags.
    private func tellSandbox(_ information: inout LinkInformation) {
        guard (try? Sandbox.enter(memoryBytes: 640 << 20)) != nil else { exit(3) }
        func tell(_ name: String, _ result: Int32) {
            information.fields.add(name.utf8, "\(result == -1 ? errno : 0)".utf8)
        }
        tell("open", unsafe Glibc.open("/etc/passwd", O_RDONLY))
        tell("socket", socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0))
        var address = sockaddr()
        tell("connect", unsafe connect(STDIN_FILENO, &address, 16))
        tell("kill", kill(getppid(), 0))
    }

    private func hang() -> Never { while true { pause() } }

    // MARK: The socket

    private func receive() -> DecoderRequest {
        let request = unsafe withUnsafeTemporaryAllocation(byteCount: LinkMessage.byteCount, alignment: 8) {
            buffer -> DecoderRequest? in
            guard (try? unsafe System.read(STDIN_FILENO, into: buffer)) == buffer.count else { return nil }
            return unsafe LinkMessage(UnsafeRawBufferPointer(buffer)).flatMap { DecoderRequest($0) }
        }
        guard let request else { exit(0) }
        return request
    }

    private func send(_ reply: DecoderReply) { send(reply.message.bytes) }

    private func send(_ bytes: [UInt8]) { _ = try? System.write(STDIN_FILENO, bytes[...]) }
}
