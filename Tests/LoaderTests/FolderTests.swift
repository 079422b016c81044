import Base
import Support
import Testing

@testable import Loader

@Suite struct FolderTests {
    private static let listing = Array("<D:multistatus xmlns:D=\"DAV:\"/>".utf8)

    private static func listed(_ request: ScriptedServer.Request) -> [ScriptedServer.Step] {
        [
            .head(
                "HTTP/1.1 207 Multi-Status",
                [("Content-Type", "application/xml"), ("Content-Length", "\(listing.count)")]),
            .body(listing),
        ]
    }

    @Test(arguments: [403, 404, 405, 501])
    func whereAGetIsRefusedAFolderIsAskedForWhatIsInIt(status: Int) throws {
        let server = try ScriptedServer { request in
            request.method == "PROPFIND"
                ? Self.listed(request) : [.head("HTTP/1.1 \(status) x", [("Content-Length", "0")])]
        }
        let opened = Opened("http://me:geheim@\(server.address)/music/")
        #expect(opened.reader.read(from: 0, atMost: .max) == Self.listing)
        #expect(server.requests.map(\.method) == ["GET", "PROPFIND"])
        #expect(server.requests[1].headers["depth"] == "1")
        #expect(server.requests[1].headers["authorization"] == "Basic bWU6Z2VoZWlt")
        #expect(server.requests[1].headers["range"] == nil)
    }

    @Test func whatIsKnownToBeAFolderIsNothingElse() throws {
        let server = try ScriptedServer { request in
            request.path == "/music/" && request.method == "PROPFIND"
                ? Self.listed(request) : [.head("HTTP/1.1 403 x", [("Content-Length", "0")])]
        }
        let loader = Loader(.quick)
        defer { loader.stop() }
        let music = loader.open(url: server.url("/music/"), isFolder: true) { _ in }
        #expect(SourceReader(music).read(from: 0, atMost: .max) == Self.listing)
        let other = loader.open(url: server.url("/other/"), isFolder: true) { _ in }
        #expect(SourceReader(other).failure(at: 0)?.code == .forbidden)
        #expect(server.requests.allSatisfy { $0.method == "PROPFIND" } && server.requests.count == 2)
    }

    @Test func aNameWithoutItsSlashIsRedirectedThere() throws {
        let server = try ScriptedServer { request in
            if request.path == "/music" { return [.head("HTTP/1.1 301 x", [("Location", "/music/")])] }
            return request.method == "PROPFIND" ? Self.listed(request) : [.head("HTTP/1.1 403 x")]
        }
        let opened = Opened(server.url("/music"))
        #expect(opened.reader.read(from: 0, atMost: .max) == Self.listing)
    }

    @Test func aListOfFilesForPeopleIsOneOnlyWithCredentials() throws {
        let server = try ScriptedServer { request in
            request.method == "PROPFIND"
                ? Self.listed(request)
                : [.head("HTTP/1.1 200 x", [("Content-Type", "text/html")]), .body(Array("<html>".utf8))]
        }
        let page = Opened(server.url("/"))
        #expect(page.reader.read(from: 0, atMost: .max) == Array("<html>".utf8))
        let opened = Opened(server.url("/"), headers: [("X-Key", "k")])
        #expect(opened.reader.read(from: 0, atMost: .max) == Self.listing)
    }

    @Test func whereNothingIsListedTheGetCounts() throws {
        let server = try ScriptedServer { request in
            request.method == "PROPFIND" ? [.head("HTTP/1.1 405 x")] : [.head("HTTP/1.1 404 x")]
        }
        #expect(Opened(server.url("/")).failure?.code == .notFound)
        #expect(server.requests.map(\.method) == ["GET", "PROPFIND", "GET"])
    }

    @Test func aStationWithoutANameOfItsOwnIsAskedOnce() throws {
        let bytes = Scripts.bytes(1000)
        let server = try ScriptedServer(Scripts.file(bytes))
        let opened = Opened(server.url("/"))
        #expect(difference(opened.reader.read(from: 0, atMost: .max), bytes) == nil)
        #expect(server.requests.map(\.method) == ["GET"])
    }

    @Test func withDigestThePropfindIsAuthorizedToo() throws {
        let server = try ScriptedServer { request in
            guard request.headers["authorization"]?.hasPrefix("Digest ") == true else {
                let challenge = ("WWW-Authenticate", "Digest realm=\"r\", nonce=\"n\", qop=\"auth\"")
                return [.head("HTTP/1.1 401 x", [challenge, ("Content-Length", "0")])]
            }
            return request.method == "PROPFIND" ? Self.listed(request) : [.head("HTTP/1.1 403 x")]
        }
        let opened = Opened("http://me:geheim@\(server.address)/music/")
        #expect(opened.reader.read(from: 0, atMost: .max) == Self.listing)
        #expect(server.requests.map(\.method) == ["GET", "GET", "GET", "PROPFIND"])
    }
}
