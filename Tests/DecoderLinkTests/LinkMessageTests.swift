import DecoderLink
import Support
import Testing

@Suite struct LinkMessageTests {
    @Test(arguments: [
        DecoderReply.read(resource: 0, offset: 1 << 40, count: 4096, readyFrames: 7),
        .portion(bytes: 5), .opened(textBytes: 100), .frames(22050, offset: 3), .end, .abandoned,
        .format(sampleRate: 384_000, channels: 8), .metadata(textBytes: 9), .failed(.damaged),
        .seeked(frame: 12, isExact: true),
    ])
    func repliesComeAsTheyWereSent(_ reply: DecoderReply) throws {
        let message = try #require(unsafe reply.message.bytes.withUnsafeBytes { unsafe LinkMessage($0) })
        #expect(DecoderReply(message) == reply)
    }

    @Test(arguments: [
        DecoderRequest.open(textBytes: 40), .decode(frames: 22050), .seek(frame: 0), .goOn,
        .bytes(count: 1, haveFramesBeenTaken: true), .noBytes(.abandoned, haveFramesBeenTaken: false),
    ])
    func requestsComeAsTheyWereSent(_ request: DecoderRequest) throws {
        let message = try #require(unsafe request.message.bytes.withUnsafeBytes { unsafe LinkMessage($0) })
        #expect(DecoderRequest(message) == request)
    }

    @Test func whatIsOutOfBoundsIsNoReply() {
        let most = SharedMemory.mostFrames
        for reply in [
            DecoderReply.frames(0, offset: 0), .frames(most + 1, offset: 0), .frames(1, offset: -1),
            .format(sampleRate: 0, channels: 2), .format(sampleRate: 48000, channels: 9),
            .format(sampleRate: 48000, channels: 0), .opened(textBytes: SharedMemory.textBytes + 1),
            .read(resource: 0, offset: -1, count: 1, readyFrames: 0),
            .read(resource: 0, offset: 0, count: 0, readyFrames: 0),
            .read(resource: 0, offset: 0, count: 1, readyFrames: most + 1), .portion(bytes: -1),
            .seeked(frame: -1, isExact: true),
        ] {
            #expect(DecoderReply(reply.message) == nil, "\(reply)")
        }
    }

    @Test func anyBytesAreAReplyOrNone() {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<20_000 {
            var bytes = (0..<LinkMessage.byteCount).map { _ in UInt8.random(in: 0...255, using: &random) }
            // Kinds are small numbers; so are many of the others.
            for number in 0..<5 where Bool.random(using: &random) || number == 0 {
                bytes.replaceSubrange(number * 8 + 1..<number * 8 + 8, with: repeatElement(0, count: 7))
                if number == 0 { bytes[0] %= 12 }
            }
            guard let message = unsafe bytes.withUnsafeBytes({ unsafe LinkMessage($0) }) else { continue }
            if case .frames(let count, _)? = DecoderReply(message) {
                #expect((1...SharedMemory.mostFrames).contains(count))
            }
        }
    }
}

@Suite struct LinkTextTests {
    @Test func informationComesAsItWasSent() {
        var information = LinkInformation()
        (information.sampleRate, information.channels, information.frames) = (48000, 2, 1 << 33)
        information.codec = Array("Opus".utf8)
        information.traits = [.isSeekable, .isGapless]
        information.fields.add("title".utf8, "Ä".utf8)
        #expect(LinkInformation(information.bytes) == information)
    }

    @Test func informationThatIsCutOrChangedIsReadOrNot() {
        var information = LinkInformation()
        (information.sampleRate, information.channels) = (48000, 2)
        information.fields.add("title".utf8, "a title".utf8)
        let bytes = information.bytes
        var random = SeededGenerator(seed: 11)
        for count in 0..<bytes.count { _ = LinkInformation(Array(bytes.prefix(count))) }
        for _ in 0..<5_000 {
            var mutated = bytes
            for _ in 0..<3 {
                mutated[Int.random(in: 0..<bytes.count, using: &random)] = .random(
                    in: 0...255, using: &random)
            }
            guard let read = LinkInformation(mutated) else { continue }
            #expect(DecoderReply.channelCounts.contains(read.channels))
        }
    }

    @Test func openingComesAsItWasSent() {
        let opening = LinkOpening(
            length: nil, isSeekable: false, hasRanges: true, isLive: true, ending: "aac")
        #expect(LinkOpening(opening.bytes) == opening)
        #expect(LinkOpening([1, 2, 3]) == nil)
    }
}
