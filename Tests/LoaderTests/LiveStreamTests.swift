import Base
import Support
import Testing

@testable import Loader

@Suite struct LiveStreamTests {
    private let sound = Scripts.bytes(60_000)

    private func block(_ title: String) -> [UInt8] { Array("StreamTitle='\(title)';".utf8) }

    private func head(_ interval: Int?, _ status: String = "HTTP/1.0 200 OK") -> ScriptedServer.Step {
        let metadata = interval.map { [("icy-metaint", "\($0)")] } ?? []
        return .head(
            status, [("Content-Type", "audio/mpeg"), ("icy-name", "Test FM"), ("icy-br", "128")] + metadata)
    }

    private func titles(_ source: any ByteSource) -> [String] {
        source.takeMetadata(upTo: .max).map { "\($0.offset) \($0["StreamTitle"] ?? "-")" }
    }

    @Test(arguments: ["HTTP/1.0 200 OK", "ICY 200 OK"])
    func titlesAreSplitOffWithTheOffsetOfTheirSound(status: String) throws {
        let stream = Scripts.interleaved(
            sound, interval: 8000, blocks: [block("One"), [], block("It's"), block("It's")])
        let server = try ScriptedServer { _ in [head(8000, status), .body(stream), .hold] }
        let opened = Opened(server.url("/live"))
        #expect(difference(opened.reader.read(from: 0, atMost: 60_000), sound) == nil)
        let information = opened.source.information
        #expect(information?.isLive == true)
        #expect(information?.length == nil)
        #expect(information?.isSeekable == true)
        #expect(information?.station == StationInformation(name: "Test FM", bitrate: 128_000))
        #expect(opened.source.takeMetadata(upTo: 8000).isEmpty)
        #expect(opened.source.takeMetadata(upTo: 8001).map(\.offset) == [8000])
        #expect(titles(opened.source) == ["24000 It's"])
    }

    @Test func chunkBordersAreNotTheStreams() throws {
        let stream = Scripts.interleaved(sound, interval: 1000, blocks: [block("A")])
        let sizes = [999, 1, 1, 3, 500, 17]
        var parts: [[UInt8]] = []
        var start = 0
        while start < stream.count {
            let end = min(stream.count, start + sizes[parts.count % sizes.count])
            parts.append(Array(stream[start..<end]))
            start = end
        }
        let server = try ScriptedServer { [parts] _ in
            [
                .head("HTTP/1.1 200 OK", [("Transfer-Encoding", "chunked"), ("icy-metaint", "1000")]),
                .chunks(parts, last: false), .hold,
            ]
        }
        let opened = Opened(server.url("/live"))
        #expect(difference(opened.reader.read(from: 0, atMost: 60_000), sound) == nil)
        #expect(titles(opened.source) == ["1000 A"])
    }

    @Test func withoutAnIntervalEveryByteIsSound() throws {
        for interval in [nil, 0] {
            let server = try ScriptedServer { _ in [head(interval), .body(sound), .hold] }
            let opened = Opened(server.url("/live"))
            #expect(difference(opened.reader.read(from: 0, atMost: 60_000), sound) == nil)
        }
    }

    @Test func aStationThatClosesOrResetsComesBackWithItsOwnInterval() throws {
        let first = Scripts.interleaved(Array(sound[..<20_000]), interval: 16_000, blocks: [block("Before")])
        let second = Scripts.interleaved(
            Array(sound[20_000..<40_000]), interval: 8192, blocks: [block("After")])
        let server = try ScriptedServer { request in
            switch request.index {
            case 0: [head(16_000), .body(first)]
            case 1: [head(8192), .body(second), .reset]
            case 2: [.head("HTTP/1.0 404 Away")]
            case 3: [.head("HTTP/1.0 200 OK", [("Content-Type", "text/html")]), .body(Array("<html>".utf8))]
            default: [head(nil), .body(Array(sound[40_000...])), .hold]
            }
        }
        let opened = Opened(server.url("/live"))
        // A reset may cost what was still under way.
        let got = opened.reader.read(from: 0, atMost: 20_000)
        #expect(got == Array(sound[..<20_000]))
        #expect(opened.log.wait { $0.attempt == 3 } != nil)
        #expect(opened.reader.outcome(at: 39_999) != nil)
        let told = titles(opened.source)
        #expect(told.starts(with: ["16000 Before"]))
        #expect(opened.failureNow == nil)
        #expect(server.requests.dropFirst().allSatisfy { $0.rangeStart == nil })
    }

    @Test func aNewConnectionWithoutTitlesClearsTheOldOne() throws {
        let first = Scripts.interleaved(Array(sound[..<20_000]), interval: 8000, blocks: [block("Old")])
        let server = try ScriptedServer { request in
            request.index == 0
                ? [head(8000), .body(first)] : [head(nil), .body(Array(sound[20_000...])), .hold]
        }
        let opened = Opened(server.url("/live"))
        #expect(difference(opened.reader.read(from: 0, atMost: 60_000), sound) == nil)
        #expect(titles(opened.source) == ["8000 Old", "20000 "])
    }

    @Test func aStreamThatFallsSilentIsConnectedAnew() throws {
        let server = try ScriptedServer { request in
            request.index == 0
                ? [head(nil), .body(Array(sound[..<30_000])), .hold]
                : [head(nil), .body(Array(sound[30_000...])), .hold]
        }
        let opened = Opened(server.url("/live"), .impatient)
        #expect(difference(opened.reader.read(from: 0, atMost: 60_000), sound) == nil)
        let reasons = opened.log.all.compactMap {
            if case .reconnecting(_, _, let reason) = $0 { reason } else { nil }
        }
        #expect(reasons.first?.contains("sent nothing for 0.5 s") == true)
    }

    @Test func aStationThatNeverGaveSoundEndsWithItsReason() throws {
        let server = try ScriptedServer { request in
            request.index == 0 ? [head(nil)] : [.head("HTTP/1.0 410 Gone")]
        }
        let opened = Opened(server.url("/live"))
        #expect(opened.failure?.code == .gone)
        #expect(server.requests.count == 2)
    }

    @Test func aStationThatStaysAwayUsesUpItsBudget() throws {
        var settings = LoaderSettings.quick
        settings.retries.liveAttempts = 4
        let server = try ScriptedServer { request in
            request.index == 0 ? [head(nil), .body(sound)] : [.head("HTTP/1.0 503 Off air")]
        }
        let opened = Opened(server.url("/live"), settings)
        #expect(difference(opened.reader.read(from: 0, atMost: .max), sound) == nil)
        #expect(opened.failure?.code == .httpError)
        #expect(opened.log.all.compactMap(\.attempt) == [1, 2, 3, 4])
        #expect(server.requests.count == 5)
    }

    @Test func metadataWithoutEndCostsNoMemory() throws {
        let blocks = (0..<2000).map { block("Song \($0)") }
        let stream = Scripts.interleaved(Array(sound[..<2000]), interval: 1, blocks: blocks)
        let server = try ScriptedServer { _ in [head(1), .body(stream), .hold] }
        let opened = Opened(server.url("/live"))
        #expect(difference(opened.reader.read(from: 0, atMost: 2000), Array(sound[..<2000])) == nil)
        let told = titles(opened.source)
        #expect(told.count <= 512)
        #expect(told.last?.hasSuffix("Song 1999") == true)
    }

    @Test func theCharsetOfTheStationIsTaken() throws {
        let title = Array("StreamTitle='".utf8) + [0xc0, 0xf0] + Array("';".utf8)
        let stream = Scripts.interleaved(sound, interval: 8000, blocks: [title])
        let server = try ScriptedServer { _ in [head(8000), .body(stream), .hold] }
        for (charset, text) in [("windows-1251", "Ар"), (nil, "Àð"), ("no such", "Àð")] {
            let opened = Opened(server.url("/live"), charset: charset)
            _ = opened.reader.read(from: 0, atMost: 10_000)
            #expect(titles(opened.source) == ["8000 \(text)"])
        }
    }

    @Test func connectionsAreToldApartAndTitlesComeAgainAfterAWayBack() throws {
        let first = Scripts.interleaved(
            Array(sound[..<20_000]), interval: 8000, blocks: [block("A"), block("B")])
        let second = Scripts.interleaved(Array(sound[20_000...]), interval: 8000, blocks: [block("C")])
        let server = try ScriptedServer { request in
            request.index == 0 ? [head(8000), .body(first)] : [head(8000), .body(second), .hold]
        }
        let opened = Opened(server.url("/live"))
        #expect(difference(opened.reader.read(from: 0, atMost: 60_000), sound) == nil)
        #expect(opened.source.seam(after: 0) == 20_000)
        #expect(opened.source.seam(after: 20_000) == nil)
        #expect(opened.source.heldRange == 0..<60_000)
        #expect(titles(opened.source) == ["8000 A", "16000 B", "28000 C"])
        // A read stops where another connection's bytes begin.
        guard case .bytes(let count)? = opened.reader.outcome(at: 19_000, bytes: 5000)?.0 else {
            Issue.record("no bytes")
            return
        }
        #expect(count == 1000)
        for (offset, expected) in [
            (0, ["8000 A", "16000 B", "28000 C"]), (16_000, ["16000 B", "28000 C"]), (59_000, ["28000 C"]),
        ] {
            opened.source.rewindMetadata(to: Int64(offset))
            #expect(titles(opened.source) == expected)
        }
    }

    @Test func whatIsTooOldIsGoneWhileNobodyListens() throws {
        var settings = LoaderSettings.quick
        settings.timeShift.spilling = .never
        settings.timeShift.mostMemory = 256 << 10
        settings.timeShift.patience = .zero
        let bytes = Scripts.bytes(1_000_000)
        let server = try ScriptedServer { _ in [head(nil), .body(bytes), .hold] }
        let opened = Opened(server.url("/live"), settings)
        _ = opened.reader.read(from: 0, atMost: 1000)
        #expect(opened.log.wait { $0.progress?.receivedBytes == 1_000_000 } != nil)
        guard case .gone(let oldest)? = opened.reader.outcome(at: 1000)?.0 else {
            Issue.record("still here")
            return
        }
        #expect(oldest == 1_000_000 - 262_144)
        let rest = opened.reader.read(from: oldest, atMost: 262_144)
        #expect(difference(rest, Array(bytes[Int(oldest)...])) == nil)
    }

    @Test func withoutTimeShiftThereIsNoWayBackAndAPauseHoldsTheServerBack() throws {
        var settings = LoaderSettings.quick
        settings.timeShift.seconds = 0
        let server = try ScriptedServer { _ in [head(nil), .body(sound), .hold] }
        let opened = Opened(server.url("/live"), settings)
        #expect(difference(opened.reader.read(from: 0, atMost: 60_000), sound) == nil)
        #expect(opened.source.information?.isSeekable == false)
        #expect(opened.source.heldRange == nil)
    }

    @Test(arguments: ["ICY 200 OK", "HTTP/1.0 200 OK"])
    func textThatEndsIsNoStation(status: String) throws {
        let list = Array("[playlist]\nFile1=http://h/a\n".utf8)
        let server = try ScriptedServer { _ in [head(nil, status), .body(list)] }
        let opened = Opened(server.url("/list"))
        #expect(opened.reader.read(from: 0, atMost: .max) == list)
        #expect(opened.reader.isEnd(at: Int64(list.count)))
        #expect(opened.source.information?.isLive == false)
        #expect(server.requests.count == 1)
    }
}
