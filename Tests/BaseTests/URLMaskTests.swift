import Base
import Testing

@Suite struct URLMaskTests {
    @Test(arguments: [
        ("http://example.org/a.mp3", "http://example.org/a.mp3"),
        ("http://user:pa@ss@example.org:8000/a", "http://example.org:8000/a"),
        ("https://user@example.org", "https://example.org"),
        ("http://h/a?token=abc&x=1", "http://h/a?token=***&x=1"),
        ("http://h/a?X-Amz-Signature=abc&X-Amz-Date=2", "http://h/a?X-Amz-Signature=***&X-Amz-Date=2"),
        ("http://h/a?accessToken=abc;apikey=k", "http://h/a?accessToken=***;apikey=***"),
        ("http://h/a?%74oken=abc", "http://h/a?%74oken=***"),
        ("http://h/a?author=me&keyboard=1", "http://h/a?author=me&keyboard=1"),
        ("http://h/a?key=#access_token=b", "http://h/a?key=#access_token=***"),
        ("http://h/rest/stream?u=a&t=b&id=1", "http://h/rest/stream?u=a&t=***&id=1"),
        ("http://h/mail@home?q=a@b", "http://h/mail@home?q=a@b"),
        ("/music/what?token=x.mp3", "/music/what?token=x.mp3"), ("", ""), ("://", "://"),
        ("http://", "http://"),
    ])
    func secretsAreNotShown(url: String, shown: String) {
        #expect(URLMask.shown(url) == shown)
    }
}
