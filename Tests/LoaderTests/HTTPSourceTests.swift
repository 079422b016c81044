import Base
import Support
import Synchronization
import Testing

@testable import Loader

@Suite struct HTTPSourceTests {
    let bytes = Scripts.bytes(300_000)

    @Test func aFileComesWholeByOneRequest() throws {
        let server = try ScriptedServer(Scripts.file(bytes))
        let opened = Opened(server.url("/a.mp3"))
        #expect(opened.reader.read(from: 0, atMost: .max) == bytes)
        #expect(opened.reader.isEnd(at: 300_000))
        let information = opened.source.information
        #expect(
            information == ContentInformation(length: 300_000, contentType: "audio/mpeg", isSeekable: true))
        let requests = server.requests
        #expect(requests.count == 1)
        #expect(requests.first?.method == "GET")
        #expect(requests.first?.headers["range"] == "bytes=0-")
        #expect(requests.first?.headers["icy-metadata"] == "1")
        #expect(requests.first?.headers["accept-encoding"] == "identity")
        #expect(opened.loader.receivedBytes >= 300_000)
        let kinds = opened.log.all
        #expect(kinds.first == .connecting)
        #expect(kinds.dropFirst().first?.isInformation == true)
        #expect(kinds.contains(.receiving))
        #expect(opened.log.wait { $0.progress?.isComplete == true } != nil)
    }
}
