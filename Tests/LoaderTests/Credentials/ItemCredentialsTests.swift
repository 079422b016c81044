import Testing

@testable import Loader

@Suite struct ItemCredentialsTests {
    private func url(_ text: String) throws -> RemoteURL {
        guard case .remote(let url) = try ResourceLocation(text) else { throw Failure() }
        return url
    }
    private struct Failure: Error {}

    private func store(_ origins: [String], _ netrc: String = "") throws -> CredentialStore {
        var store = CredentialStore()
        for text in origins {
            var credentials = OriginCredentials()
            credentials.login = OriginCredentials.Login(user: text, password: "pw")
            store.add(credentials, for: try #require(Origin(text)))
        }
        store.add(Netrc(netrc))
        return store
    }

    /// Who logs in where, from an item of http://a with a header, of what the configuration has.
    @Test(arguments: [
        ("http://a/x", "http://a/y", "http://a", true), ("http://a/x", "http://b/y", "http://b", false),
        ("http://a/x", "http://c/", nil, false), ("http://a/x", "https://a/", nil, false),
        ("http://a/x", "http://a:81/", nil, false), ("http://me:geheim@a/x", "http://a/y", "me", true),
        ("http://me:geheim@a/x", "http://b/y", "http://b", false),
        ("http://me:geheim@c/x", "http://d/y", nil, false),
        ("http://a/x", "http://u:v@c/y", "u", false), ("https://n/x", "https://n:8443/y", "net", false),
        ("http://n/x", "http://n/y", "net", true), ("http://a/x", "http://n/y", nil, false),
        ("http://a/x", "https://n/y", "net", false), ("https://n/", "http://n/", nil, false),
    ])
    func eachOriginGetsItsOwnAndNothingElse(item: String, target: String, user: String?, hasHeaders: Bool)
        throws
    {
        let store = try store(["http://a", "http://b"], "machine n login net password pw")
        let credentials = ItemCredentials(try url(item), headers: [("X-Key", "k")], store: store)
        let request = credentials.forRequest(to: try url(target))
        #expect(request.login?.user == user)
        #expect(request.headers.contains { $0.0 == "X-Key" } == hasHeaders)
    }

    @Test func anItemsOwnAuthorizationReplacesTheConfigurations() throws {
        var origin = OriginCredentials()
        origin.bearer = "configured"
        origin.headers = [.init("X-A", "1"), .init("X-B", "2")]
        origin.tokenCommand = ["/bin/token"]
        var store = CredentialStore()
        store.add(origin, for: try #require(Origin("http://a")))
        let item = ItemCredentials(
            try url("http://a/"), headers: [("authorization", "OAuth own"), ("x-b", "mine")], store: store)
        let request = item.forRequest(to: try url("http://a/"))
        #expect(
            request.headers.map { "\($0.0): \($0.1)" }.sorted() == [
                "Authorization: OAuth own", "X-A: 1", "x-b: mine",
            ])
        #expect(request.tokenCommand == nil)
    }

    @Test func aBasicHeaderIsALogin() throws {
        let item = ItemCredentials(
            try url("http://a/"), headers: [("Authorization", "basic bWU6Z2U6aGVpbQ==")],
            store: CredentialStore())
        let request = item.forRequest(to: try url("http://a/"))
        #expect(request.login == OriginCredentials.Login(user: "me", password: "ge:heim"))
        #expect(request.headers.isEmpty)
    }

    @Test func otherCredentialsHaveOtherIdentitiesAndNoneHasNone() throws {
        var other = OriginCredentials()
        other.clientCertificate = "/c.pem"
        var withCertificate = CredentialStore()
        withCertificate.add(other, for: try #require(Origin("http://a")))
        let identities = try [
            ItemCredentials(url("http://a/")), ItemCredentials(url("http://me:one@a/")),
            ItemCredentials(url("http://me:two@a/")), ItemCredentials(url("http://me@a/")),
            ItemCredentials(url("http://two:me@a/")), ItemCredentials(url("http://m:e two@a/")),
            ItemCredentials(url("http://a/"), headers: [("1", "X")]),
            ItemCredentials(url("http://a/"), headers: [("X", "1")]),
            ItemCredentials(url("http://a/"), headers: [("X", "2")]),
            ItemCredentials(url("http://a/"), store: store(["http://a"])),
            ItemCredentials(url("http://a/"), store: withCertificate),
        ].map(\.identityFields)
        #expect(identities[0] == [])
        #expect(Set(identities).count == identities.count)
        #expect(try ItemCredentials(url("http://a/"), store: store(["http://b"])).identityFields == [])
    }

    @Test func whoAsksMakesNoDifferenceToTheBytes() throws {
        var origin = OriginCredentials()
        origin.userAgent = "x"
        origin.referer = "y"
        var store = CredentialStore()
        store.add(origin, for: try #require(Origin("http://a")))
        #expect(try ItemCredentials(url("http://a/"), store: store).identityFields == [])
    }

    @Test func noDumpShowsASecret() throws {
        var shown = ""
        dump(try store(["http://geheim"]), to: &shown)
        var origin = OriginCredentials()
        origin.bearer = "geheim"
        dump(origin, to: &shown)
        shown += "\(origin) \(String(reflecting: origin))"
        #expect(!shown.contains("geheim"))
    }
}
