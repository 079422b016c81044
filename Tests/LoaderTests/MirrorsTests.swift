import Base
import Support
import Testing

@testable import Loader

@Suite struct MirrorsTests {
    private let sound = Scripts.bytes(40_000)

    private func urls(_ names: String...) throws -> [RemoteURL] {
        try names.map {
            guard case .remote(let url) = try ResourceLocation("http://\($0).example/") else {
                throw PlaybackFailure(.internal, $0)
            }
            return url
        }
    }

    private func live(_ bytes: [UInt8]) -> [ScriptedServer.Step] {
        [.head("ICY 200 OK", [("Content-Type", "audio/mpeg")]), .body(bytes)]
    }

    @Test func eachIsTriedOnceInARoundAndWhatWorkedComesFirst() throws {
        let all = try urls("a", "b", "c")
        var mirrors = Mirrors(all, worked: all[1])
        var order = [mirrors.current]
        while mirrors.goOn() { order.append(mirrors.current) }
        #expect(order == [all[1], all[0], all[2]])
        mirrors.beginRound()
        #expect(mirrors.current == all[2])
        order = []
        while mirrors.goOn() { order.append(mirrors.current) }
        #expect(order == [all[0], all[1]])
        #expect(!Mirrors([all[0]]).isPlural)
        #expect(Mirrors([all[0]], worked: all[2]).current == all[0])
    }

    @Test func theNextOneIsTriedAtOnceWhateverIsWrongWithTheFirst() throws {
        let gone = try ScriptedServer { _ in [.head("HTTP/1.1 404 Not Found")] }
        let closed = try ScriptedServer { _ in [] }
        closed.stop()
        let good = try ScriptedServer { _ in live(sound) + [.hold] }
        let opened = Opened(
            gone.url("/a"), mirrors: [closed.url("/b"), "http://none.invalid/", "rtsp://x/", good.url("/c")])
        #expect(difference(opened.reader.read(from: 0, atMost: sound.count), sound) == nil)
        #expect(opened.failureNow == nil)
        #expect(gone.requests.count == 1)
        #expect(!opened.log.all.contains { $0.attempt != nil })
    }

    @Test func whatWorkedLastComesFirstNextTime() throws {
        let gone = try ScriptedServer { _ in [.head("HTTP/1.1 404 Not Found")] }
        let good = try ScriptedServer { _ in live(sound) + [.hold] }
        let opened = Opened(gone.url("/a"), mirrors: [good.url("/b")])
        _ = opened.reader.read(from: 0, atMost: 1000)
        let again = opened.loader.open(url: gone.url("/a"), mirrors: [good.url("/b")], events: { _ in })
        #expect(SourceReader(again).read(from: 0, atMost: 1000).count == 1000)
        #expect(gone.requests.count == 1 && good.requests.count == 2)
        again.close()
    }

    @Test func aStationThatDropsIsAskedItselfFirstAndThenTheOther() throws {
        let first = try ScriptedServer { request in
            request.index == 0 ? live(Array(sound[..<20_000])) : [.head("HTTP/1.1 503 Full")]
        }
        let second = try ScriptedServer { _ in live(Array(sound[20_000...])) + [.hold] }
        let opened = Opened(first.url("/a"), mirrors: [second.url("/b")])
        #expect(difference(opened.reader.read(from: 0, atMost: sound.count), sound) == nil)
        #expect(first.requests.count == 2 && second.requests.count == 1)
        #expect(opened.log.all.compactMap(\.attempt) == [1])
    }

    @Test func whenAllAreGoneTheReasonIsTold() throws {
        let gone = try ScriptedServer { _ in [.head("HTTP/1.1 410 Gone")] }
        let missing = try ScriptedServer { _ in [.head("HTTP/1.1 404 Not Found")] }
        let opened = Opened(gone.url("/a"), mirrors: [missing.url("/b")])
        #expect(opened.failure?.code == .notFound)
        #expect(gone.requests.count == 1 && missing.requests.count == 1)
    }

    @Test func whileOneMayComeBackTheyAreTriedInTurn() throws {
        let gone = try ScriptedServer { _ in [.head("HTTP/1.1 410 Gone")] }
        let busy = try ScriptedServer { request in
            request.index < 2 ? [.head("HTTP/1.1 503 Busy")] : live(sound) + [.hold]
        }
        let opened = Opened(busy.url("/a"), mirrors: [gone.url("/b")])
        #expect(difference(opened.reader.read(from: 0, atMost: sound.count), sound) == nil)
        #expect(busy.requests.count == 3)
    }
}
