import Base
import Testing

@testable import Loader

@Suite struct ResourceLocationTests {
    @Test(arguments: [
        ("/music/a b%20.mp3", "/music/a b%20.mp3"), ("file:///music/a%20b.mp3", "/music/a b.mp3"),
        ("file:/music/%C3%BC.mp3", "/music/ü.mp3"), ("FILE://localhost/a?x#y", "/a"),
        ("file:///a%3Fb%25.mp3", "/a?b%.mp3"), ("file:///100%.mp3", "/100%.mp3"),
    ])
    func pathsAndFileURLsAreFiles(url: String, path: String) throws {
        #expect(try ResourceLocation(url) == .file(path: Array(path.utf8)))
    }

    @Test func aPathNeedNotBeUTF8() throws {
        let expected: ResourceLocation = .file(path: [0x2F, 0x61, 0xFF, 0xE9, 0x2E])
        #expect(try ResourceLocation("file:///a%FF%E9.") == expected)
    }

    @Test(arguments: [
        ("http://h", "http://h/", "h", 80),
        ("HTTPS://Host.Example:8443/a?b#c", "https://Host.Example:8443/a?b", "host.example", 8443),
        ("http://h/a b\u{fc}.mp3?q=\"", "http://h/a%20b%C3%BC.mp3?q=%22", "h", 80),
        ("http://h?x=1", "http://h/?x=1", "h", 80),
        ("http://[::1]:8000/x", "http://[::1]:8000/x", "[::1]", 8000),
        ("http://u:p@h/%20", "http://h/%20", "h", 80), ("http://h:/x", "http://h:/x", "h", 80),
    ])
    func webURLsAreRepairedAndLoseTheirSecrets(url: String, request: String, host: String, port: Int) throws {
        guard case .remote(let remote) = try ResourceLocation(url) else {
            Issue.record("\(url) is no file")
            return
        }
        #expect(remote.request == request)
        #expect(remote.origin.host == host)
        #expect(remote.origin.port == port)
    }

    @Test func userAndPasswordAreDecodedAndNeverShown() throws {
        guard case .remote(let remote) = try ResourceLocation("http://me%40x:se%3Acr@et@h/a?token=abc") else {
            return
        }
        #expect(remote.credentials == OriginCredentials.Login(user: "me@x", password: "se:cr@et"))
        #expect(remote.masked == "http://h/a?token=***")
    }

    @Test(arguments: [
        ("ftp://h/a.mp3", PlaybackFailure.Code.unsupportedFormat), ("a.mp3", .unsupportedFormat),
        ("", .unsupportedFormat), ("javascript:alert(1)", .unsupportedFormat),
        ("http:/h/a", .unsupportedFormat), ("http://a@h\\@b/", .unsupportedFormat),
        ("http://h\\@b/", .unsupportedFormat),
        ("http://", .unsupportedFormat), ("http:///a", .unsupportedFormat),
        ("http://h:0/", .unsupportedFormat),
        ("http://h:99999/", .unsupportedFormat), ("http://h:x/", .unsupportedFormat),
        ("http://a b/", .unsupportedFormat), ("file://server/share/a.mp3", .unsupportedFormat),
        ("/etc/passwd\0.mp3", .denied), ("http://h/a\r\nX: y", .denied), ("file:///a%00.mp3", .denied),
        ("file:///a%0Ab", .denied), ("file:", .denied), ("/a\nb", .denied), ("http://h/\t", .denied),
    ])
    func everythingElseIsRefused(url: String, code: PlaybackFailure.Code) {
        let failure = #expect(throws: PlaybackFailure.self) { try ResourceLocation(url) }
        #expect(failure?.code == code)
    }

    @Test func anEndlessURLIsRefused() {
        #expect(throws: PlaybackFailure.self) {
            try ResourceLocation("http://h/" + String(repeating: "a", count: 20_000))
        }
    }

    @Test func aPasswordInAURLWithoutSchemeIsNotShown() {
        for url in ["ftp://me:geheim@h/a", "me:geheim@h/a", "http:/me:geheim@h"] {
            let failure = #expect(throws: PlaybackFailure.self) { try ResourceLocation(url) }
            #expect(failure?.message.contains("geheim") == false)
        }
    }

    @Test func ownHeadersAreSentAndThoseOfTheLoaderAreNotReplaced() throws {
        guard case .remote(let url) = try ResourceLocation("http://h/") else { return }
        var request = LoadingRequest(url: url)
        request.offset = 7
        request.ifRange = "\"v1\""
        request.credentials.headers = [
            ("Referer", "http://a/, b"), ("X-Empty", ""), ("Range", "bytes=9-"), ("Bad Name", "x"),
            ("X", "a\r\nY: z"),
            ("accept", "audio/*"),
        ]
        #expect(
            request.lines == [
                "Icy-MetaData: 1", "Accept-Encoding: identity", "Range: bytes=7-", "If-Range: \"v1\"",
                "Referer: http://a/, b", "X-Empty;", "accept: audio/*",
            ])
    }
}
