import Base
import Testing

@Suite struct URLUserinfoTests {
    @Test(arguments: [
        ("http://me:pw@h/a", "http://h/a", "me", "pw"), ("HTTPS://me@h:1?x=@", "HTTPS://h:1?x=@", "me", ""),
        ("http://a%40b:c%3Ad%2F@h", "http://h", "a@b", "c:d/"), ("http://a:b@c@h/", "http://h/", "a", "b@c"),
        ("http://:pw@h/", "http://h/", "", "pw"), ("http://@h/", "http://h/", "", ""),
        ("http://m:ü %zz@h/", "http://h/", "m", "ü %zz"),
    ])
    func userAndPasswordAreTakenOut(url: String, clean: String, user: String, password: String) throws {
        let taken = try #require(URLUserinfo.taken(from: url))
        #expect(taken.url == clean)
        #expect(taken.user == user)
        #expect(taken.password == password)
    }

    @Test(arguments: [
        "http://h/a@b", "http://h?a@b", "http://h#a@b", "http://h/", "/music/me:pw@h.mp3", "ftp://me:pw@h/",
        "http:/me:pw@h", "", "http://", "http://h\\@b/", "@", "mailto:me@h",
    ])
    func otherTextStaysAsItIs(url: String) { #expect(URLUserinfo.taken(from: url) == nil) }
}
