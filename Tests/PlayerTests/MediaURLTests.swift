import Base
import Player
import Testing

@Suite struct MediaURLTests {
    @Test(arguments: [
        "http://h/a.mp3", "HTTPS://user:pw@h:8000/x?y#z", "http://[::1]:80/a", "file:///a/b%20c.mp3",
        "file:/a", "file://localhost/a", "file:////a", "/a b/c?.mp3", "/", "http://h",
    ])
    func whatCanBePlayedIsTaken(url: String) throws {
        try MediaURL.check(url)
    }

    @Test(arguments: [
        ("", CommandFailure.Code.invalidParams), ("a.mp3", .invalidParams), ("./a.mp3", .invalidParams),
        ("http:/h/a", .invalidParams), ("http:///a", .invalidParams), ("http://:80/", .invalidParams),
        ("http://user@/a", .invalidParams), ("http://a b/", .invalidParams), ("/a\u{0}.mp3", .invalidParams),
        ("http://h/a\nb", .invalidParams), ("http://h/\u{1}", .invalidParams), ("/a\r", .invalidParams),
        ("file://other/a", .invalidParams), ("file:a", .invalidParams),
        ("rtsp://h/a", .unsupported), ("store:12", .unsupported), ("javascript:alert(1)", .unsupported),
        ("3com:x", .invalidParams), (":", .invalidParams),
    ])
    func whatCannotBePlayedIsRefused(url: String, code: CommandFailure.Code) {
        #expect { try MediaURL.check(url) } throws: { ($0 as? CommandFailure)?.code == code }
    }

    @Test func aRefusalShowsNoSecret() {
        #expect {
            try MediaURL.check("ftp.example.org/a?token=geheim")
        } throws: { error in
            (error as? CommandFailure)?.message.contains("absolute path") == true
        }
        #expect {
            try MediaURL.check("http://me:geheim@/x")
        } throws: { error in
            (error as? CommandFailure)?.message.contains("geheim") == false
        }
    }

    @Test(arguments: [
        ("X-Key", "v", true), ("", "v", false), ("a b", "v", false), ("a:", "v", false),
        ("a", "v\r\nb: c", false),
        ("a", "\u{0}", false), ("a", "", true),
    ])
    func headersHoldNoLineBreaks(name: String, value: String, isGood: Bool) {
        let isTaken = (try? HeaderField(name, value).check()) != nil
        #expect(isTaken == isGood)
    }
}
