import Base
import Support
import Testing

@testable import Loader

@Suite struct DigestTests {
    private let bytes = Scripts.bytes(100_000)
    private let challenge = (
        "WWW-Authenticate", "Digest realm=\"r\", nonce=\"n1\", qop=\"auth\", algorithm=SHA-256"
    )

    /// A server that wants Digest, whose first body breaks off.
    private func server(_ more: [(String, String)] = []) throws -> ScriptedServer {
        try ScriptedServer { [bytes, challenge] request in
            guard request.headers["authorization"]?.hasPrefix("Digest ") == true else {
                return [
                    .head("HTTP/1.1 401 x", more + [challenge, ("Content-Length", "3")]),
                    .body(Array("no!".utf8)),
                ]
            }
            return Scripts.part(of: bytes, request, limit: request.rangeStart == 0 ? 40_000 : .max)
        }
    }

    private func schemes(_ server: ScriptedServer) -> [String] {
        server.requests.map { String($0.headers["authorization"]?.prefix { $0 != " " } ?? "-") }
    }

    @Test(arguments: [[], [("WWW-Authenticate", "Negotiate")]])
    func aServerThatWantsDigestGetsItAndTheNonceServesTheNextRequestToo(more: [(String, String)]) throws {
        let server = try server(more)
        let opened = Opened("http://me:geheim@\(server.address)/a")
        #expect(difference(opened.reader.read(from: 0, atMost: .max), bytes) == nil)
        #expect(schemes(server) == ["Basic", "-", "Digest", "Digest"])
        let last = server.requests[3].headers["authorization"] ?? ""
        #expect(last.contains("nc=00000002") && last.contains("username=\"me\"") && !last.contains("geheim"))
    }

    @Test func whereDigestIsSetThePasswordIsNeverSent() throws {
        let server = try server()
        var credentials = OriginCredentials()
        credentials.login = .init(user: "me", password: "geheim")
        credentials.isDigest = true
        var store = CredentialStore()
        store.add(credentials, for: try #require(Origin("http://\(server.address)")))
        let opened = Opened(server.url("/a"), credentials: store)
        #expect(difference(opened.reader.read(from: 0, atMost: .max), bytes) == nil)
        #expect(schemes(server) == ["-", "Digest", "Digest"])
    }

    @Test func aWrongPasswordIsUnauthorizedSoon() throws {
        let server = try ScriptedServer { [challenge] _ in
            [.head("HTTP/1.1 401 x", [challenge, ("Content-Length", "0")])]
        }
        #expect(Opened("http://me:x@\(server.address)/a").failure?.code == .unauthorized)
        #expect(schemes(server) == ["Basic", "-", "Digest"])
    }

    @Test func basicThatIsRefusedIsNotTriedAgain() throws {
        let server = try ScriptedServer { _ in
            [
                .head(
                    "HTTP/1.1 401 x",
                    [("WWW-Authenticate", "Basic realm=\"digest\""), ("Content-Length", "0")])
            ]
        }
        #expect(Opened("http://me:x@\(server.address)/a").failure?.code == .unauthorized)
        #expect(schemes(server) == ["Basic"])
    }

    @Test(arguments: [
        (["Digest realm=a"], true), (["Basic realm=a", "digest realm=b"], true),
        (["Basic realm=\"Digest x\""], false),
        (["Basic realm=a, Digest realm=b"], true), ([], false), (["Digestive x"], false),
    ])
    func whatAServerOffersIsReadFromAllItsLines(values: [String], offers: Bool) {
        var head = ResponseHead()
        _ = head.add(Array("HTTP/1.1 401 x\r\n".utf8))
        for value in values { _ = head.add(Array("WWW-Authenticate: \(value)\r\n".utf8)) }
        #expect(head.offersDigest == offers)
    }
}
