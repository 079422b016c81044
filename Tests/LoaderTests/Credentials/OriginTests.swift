import Testing

@testable import Loader

@Suite struct OriginTests {
    @Test(arguments: [
        ("https://webdav.example.org", "https://webdav.example.org"),
        ("HTTPS://WebDAV.Example.org/", "https://webdav.example.org"),
        ("https://h:443", "https://h"), ("http://h:443", "http://h:443"), ("http://h:80/", "http://h"),
        ("http://[::1]:8000", "http://[::1]:8000"), ("http://10.0.0.1:8080", "http://10.0.0.1:8080"),
    ])
    func originsAreReadAsTheyAreWritten(text: String, origin: String) {
        #expect(Origin(text)?.description == origin)
    }

    @Test(arguments: [
        "", "h", "ftp://h", "https://", "https://h/music", "https://h//", "https://h?x", "https://h#x",
        "https://me:pw@h", "https://h:0", "https://h:x", "file:///etc", "https://*.h", "/etc", "https://a b",
    ])
    func whatIsMoreOrLessThanAnOriginIsRefused(text: String) { #expect(Origin(text) == nil) }

    @Test(arguments: [
        ("http://h/a", "http://h:80/b?c", true), ("https://h/a", "https://H/b", true),
        ("http://h/", "https://h/", false), ("https://h/", "http://h/", false),
        ("http://h/", "http://h:81/", false), ("http://h/", "http://x.h/", false),
        ("http://x.h/", "http://h/", false), ("http://h/", "http://h./", false),
        ("http://h.evil/", "http://h/", false), ("http://h@evil/", "http://h/", false),
        ("http://127.0.0.1/", "http://127.1/", false), ("http://h#@x/", "http://h/", true),
    ])
    func originsAreTheSameOnlyWhenSchemeHostAndPortAre(one: String, other: String, areSame: Bool) throws {
        guard case .remote(let a) = try ResourceLocation(one),
            case .remote(let b) = try ResourceLocation(other)
        else { return }
        #expect((a.origin == b.origin) == areSame)
    }
}
