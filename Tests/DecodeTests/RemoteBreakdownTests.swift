import Base
import Foundation
import Testing

@testable import Decode

/// What the daemon makes of a decoder that breaks down, hangs, floods or lies.
@Suite struct RemoteBreakdownTests {
    private static let program = URL(filePath: ProcessInfo.processInfo.arguments[0])
        .deletingLastPathComponent()
        .appending(path: "decoder-probe").path

    /// Decodes by the program that misbehaves in that way.
    private func decoded(_ way: String, _ manner: FakeSource.Manner = .init(), atMost frames: Int = 100_000)
        -> Decoded
    {
        var decoded = Decoded()
        let bytes = Array("OggS \(way) ".utf8) + [UInt8](repeating: 0, count: 4000)
        let otherwise = PlaybackFailure(.unsupportedFormat, "nobody knows it")
        let decoder = RemoteDecoder(
            Decoded.reader(FakeSource(bytes, manner)), name: way, places: LiveIndex(), otherwise: otherwise,
            program: Self.program)
        decoder.patience = .milliseconds(300)
        do throws(PlaybackFailure) {
            decoded.information = try decoder.open()
            try decoded.take(decoder, chunk: 800, atMost: frames)
        } catch { decoded.failure = error }
        return decoded
    }

    @Test(arguments: [
        "crash-at-start", "hang-at-start", "lie", "pictures", "crash", "hang", "talk", "nonsense", "short",
        "ask",
    ])
    func anItemFailsWhoseDecoderDoes(_ way: String) {
        let decoded = decoded(way)
        #expect(decoded.failure?.code == .corrupt)
        #expect(decoded.failure?.message.hasPrefix("\(way) is damaged: ") == true)
    }

    @Test func whatIsNoNumberIsSilence() {
        let decoded = decoded("well", atMost: 3 * 800)
        #expect(decoded.failure == nil)
        #expect(decoded.samples.allSatisfy { $0 == 0 || $0 == 0.25 })
        #expect(decoded.samples.count == 3 * 800)
    }

    @Test func moreFramesThanWereAskedForAreTakenInPieces() {
        let decoded = decoded("too-many", atMost: 50_000)
        #expect(decoded.frames == 50_000)
    }

    /// It may ask for any place, and gets nothing there.
    @Test func whatLiesBeyondTheEndIsNotGiven() { #expect(decoded("far").frames == 3 * 800) }

    @Test(arguments: ["crash", "hang", "nonsense"])
    func aStationIsTriedThreeTimesMore(_ way: String) {
        var live = FakeSource.Manner()
        live.isLive = true
        live.hasLength = false
        let decoded = decoded(way, live)
        #expect(decoded.failure?.code == .corrupt)
        // What begins in its middle is no stream that is known to the probe: it plays well until told otherwise.
        #expect(decoded.frames >= 3 * 800)
    }

    @Test func theSandboxLeavesNothingToTry() throws {
        let tags = try #require(decoded("sandbox", atMost: 0).information?.tags)
        let told = Dictionary(tags.fields.map { ($0.name, $0.value) }) { first, _ in first }
        let refused = String(EPERM)
        #expect(told == ["open": refused, "socket": refused, "connect": refused, "kill": refused])
    }

    @Test func nothingIsLeftOfThem() throws {
        let before = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
        for _ in 0..<20 { _ = decoded("crash") }
        let after = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
        #expect(after < before + 40)
        #expect(Self.zombies == 0)
    }

    /// Children that have ended and were not waited for.
    private static var zombies: Int {
        let text = Fixtures.run("ps", ["--ppid", "\(getpid())", "-o", "stat=,comm="])
        return String(decoding: text, as: UTF8.self).split(separator: "\n")
            .count { $0.hasPrefix("Z") && $0.contains("decoder-probe") }
    }
}
