import Base
import Support
import Testing

@testable import Loader

@Suite struct RedirectTests {
    private let bytes = Scripts.bytes(100_000)

    @Test func redirectsAreFollowedAndTheLastURLIsTheBaseOfTheNext() throws {
        let server = try ScriptedServer { [bytes] request in
            switch request.path {
            case "/a/start": [.head("HTTP/1.1 302 Found", [("Location", "../b/next?x=1")])]
            case "/b/next": [.head("HTTP/1.1 307 x", [("Location", "file.mp3")]), .body(Array("moved".utf8))]
            case "/b/file.mp3": Scripts.part(of: bytes, request)
            default: [.head("HTTP/1.1 404 x")]
            }
        }
        let opened = Opened(server.url("/a/start"))
        #expect(difference(opened.reader.read(from: 0, atMost: .max), bytes) == nil)
        #expect(server.requests.map(\.path) == ["/a/start", "/b/next", "/b/file.mp3"])
    }

    @Test func headersAndPasswordsStayWithTheirOrigin() throws {
        let other = try ScriptedServer(host: "127.0.0.2", Scripts.file(bytes))
        let target = other.url("/signed.mp3?sig=1")
        let server = try ScriptedServer { request in
            request.path == "/start"
                ? [.head("HTTP/1.1 302 Found", [("Location", "/same")])]
                : [.head("HTTP/1.1 302 Found", [("Location", target)])]
        }
        let url = "http://me:geheim@\(server.address)/start"
        let opened = Opened(url, headers: [("X-Token", "T"), ("Referer", "r")])
        #expect(difference(opened.reader.read(from: 0, atMost: .max), bytes) == nil)
        for request in server.requests {
            #expect(request.headers["x-token"] == "T")
            #expect(request.headers["authorization"] == "Basic bWU6Z2VoZWlt")
        }
        #expect(other.requests.count == 1)
        for name in ["x-token", "referer", "authorization"] {
            #expect(other.requests[0].headers[name] == nil)
        }
    }

    @Test func whatTheConfigurationGivesAnOriginIsSentAtOnceAndToItOnly() throws {
        let other = try ScriptedServer(Scripts.file(bytes))
        let target = other.url("/signed.mp3")
        let server = try ScriptedServer { _ in [.head("HTTP/1.1 302 Found", [("Location", target)])] }
        guard case .remote(let url) = try ResourceLocation(server.url("/disk")) else { return }
        var credentials = OriginCredentials()
        credentials.headers = [.init("Authorization", "OAuth geheim"), .init("X-Key", "k")]
        credentials.userAgent = "Agent/1"
        credentials.referer = "http://r.test/"
        var store = CredentialStore()
        store.add(credentials, for: url.origin)
        let opened = Opened(server.url("/disk"), credentials: store)
        #expect(difference(opened.reader.read(from: 0, atMost: .max), bytes) == nil)
        #expect(server.requests.count == 1 && other.requests.count == 1)
        let names = ["authorization", "x-key", "user-agent", "referer"]
        #expect(
            names.map { server.requests[0].headers[$0] } == [
                "OAuth geheim", "k", "Agent/1", "http://r.test/",
            ]
        )
        #expect(names.map { other.requests[0].headers[$0] } == [nil, nil, "jukeboxd", nil])
    }

    @Test func aCookieThatARedirectSetGoesBackToItsOriginOnly() throws {
        let other = try ScriptedServer(Scripts.file(bytes))
        let target = other.url("/song.mp3")
        let server = try ScriptedServer { [bytes] request in
            let isKnown = request.headers["cookie"]?.contains("pass=1") == true
            switch request.path {
            case "/share" where isKnown: return [.head("HTTP/1.1 302 x", [("Location", "/file")])]
            case "/share":
                let cookies = [("Set-Cookie", "pass=1; Path=/; HttpOnly"), ("Set-Cookie", "lang=en")]
                return [.head("HTTP/1.1 302 x", cookies + [("Location", "/share")])]
            case "/file" where isKnown: return Scripts.part(of: bytes, request, limit: 40_000)
            case "/away" where isKnown: return [.head("HTTP/1.1 302 x", [("Location", target)])]
            case "/away":
                return [.head("HTTP/1.1 302 x", [("Set-Cookie", "pass=1"), ("Location", "/away")])]
            default: return [.head("HTTP/1.1 403 x")]
            }
        }
        // Also what is asked on after a break is asked for with it.
        let opened = Opened(server.url("/share"))
        #expect(difference(opened.reader.read(from: 0, atMost: .max), bytes) == nil)
        let away = Opened(server.url("/away"))
        #expect(difference(away.reader.read(from: 0, atMost: .max), bytes) == nil)
        #expect(other.requests.map { $0.headers["cookie"] } == [nil])
        // Another opening begins without.
        #expect(server.requests.filter { $0.headers["cookie"] == nil }.map(\.path) == ["/share", "/away"])
    }

    @Test func aCookieThatTheUserGaveIsSentAsItIs() throws {
        let server = try ScriptedServer { [bytes] request in
            request.path == "/a"
                ? [.head("HTTP/1.1 302 x", [("Set-Cookie", "own=0"), ("Location", "/b")])]
                : Scripts.part(of: bytes, request)
        }
        let opened = Opened(server.url("/a"), headers: [("Cookie", "own=1")])
        #expect(difference(opened.reader.read(from: 0, atMost: .max), bytes) == nil)
        #expect(server.requests.map { $0.headers["cookie"] } == ["own=1", "own=1"])
    }

    @Test func circlesEndWithTooManyRedirects() throws {
        let server = try ScriptedServer { _ in [.head("HTTP/1.1 302 Found", [("Location", "/again")])] }
        #expect(Opened(server.url("/")).failure?.code == .tooManyRedirects)
        #expect(server.requests.count == LoaderSettings().redirectLimit + 1)
    }

    @Test(arguments: ["file:///etc/passwd", "ftp://127.0.0.1/x", "gopher://h/"])
    func redirectsGoToTheWebOnly(target: String) throws {
        let server = try ScriptedServer { _ in [.head("HTTP/1.1 302 Found", [("Location", target)])] }
        #expect(Opened(server.url("/")).failure?.code == .denied)
    }

    @Test func anExpiredTargetIsAskedForAgainAtTheFirstURL() throws {
        let server = try ScriptedServer { [bytes] request in
            switch (request.path, request.query) {
            case ("/start", _):
                [.head("HTTP/1.1 307 x", [("Location", "/song?token=\(request.index < 2 ? 1 : 2)")])]
            case (_, "token=1"):
                request.index < 2
                    ? Scripts.part(of: bytes, request, limit: 40_000) : [.head("HTTP/1.1 403 Expired")]
            default: Scripts.part(of: bytes, request)
            }
        }
        let opened = Opened(server.url("/start"))
        #expect(difference(opened.reader.read(from: 0, atMost: .max), bytes) == nil)
        #expect(server.requests.map(\.query) == ["", "token=1", "token=1", "", "token=2"])
    }

    @Test func anExpiredTargetThatStaysSoIsNotAskedForEver() throws {
        let server = try ScriptedServer { [bytes] request in
            if request.path == "/start" { return [.head("HTTP/1.1 307 x", [("Location", "/song")])] }
            return request.index < 2
                ? Scripts.part(of: bytes, request, limit: 40_000) : [.head("HTTP/1.1 403 No")]
        }
        let opened = Opened(server.url("/start"))
        #expect(opened.reader.read(from: 0, atMost: .max).count == 40_000)
        #expect(opened.failure?.code == .incomplete)
        #expect(server.requests.count == 5)
    }

    @Test func aRequestThatMustNotReachThisMachineDoesNot() throws {
        let server = try ScriptedServer(Scripts.file(bytes))
        guard case .remote(let url) = try ResourceLocation(server.url("/a")) else { return }
        var request = LoadingRequest(url: url)
        request.mayBeLocal = false
        let door = LoaderThread()
        let loop = try #require(TransferLoop(door))
        let receiver = Ending { door.stop() }
        let transfer = try Transfer(request, .quick, receiver: receiver)
        loop.start(transfer)
        loop.run()
        #expect(transfer.wasDenied)
        #expect(receiver.outcome != .complete)
        #expect(server.requests.isEmpty)
    }
}

/// Notes how a transfer ended.
private final class Ending: TransferReceiver {
    private(set) var outcome: TransferOutcome?
    private let then: () -> Void

    init(then: @escaping () -> Void) { self.then = then }

    func transferReceivedHead(_ transfer: Transfer) -> Bool { true }
    func transfer(_ transfer: Transfer, received bytes: UnsafeRawBufferPointer) -> Transfer.Verdict { .taken }
    func transfer(_ transfer: Transfer, ended outcome: TransferOutcome) {
        self.outcome = outcome
        then()
    }
}
