import Base
import Testing

@testable import Playlist

@Suite struct ResolvingTests {
    /// RFC 3986, section 5.4, with the base that it uses; and more.
    @Test(arguments: [
        ("g:h", "g:h"), ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"),
        ("/g", "http://a/g"), ("//g", "http://g"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"),
        ("#s", "http://a/b/c/d;p?q#s"), ("g#s", "http://a/b/c/g#s"), ("g?y#s", "http://a/b/c/g?y#s"),
        (";x", "http://a/b/c/;x"), ("g;x", "http://a/b/c/g;x"), ("g;x?y#s", "http://a/b/c/g;x?y#s"),
        ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"), ("./", "http://a/b/c/"), ("..", "http://a/b/"),
        ("../", "http://a/b/"), ("../g", "http://a/b/g"), ("../..", "http://a/"), ("../../", "http://a/"),
        ("../../g", "http://a/g"), ("../../../g", "http://a/g"), ("../../../../g", "http://a/g"),
        ("/./g", "http://a/g"), ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."), (".g", "http://a/b/c/.g"),
        ("g..", "http://a/b/c/g.."), ("..g", "http://a/b/c/..g"), ("./../g", "http://a/b/g"),
        ("./g/.", "http://a/b/c/g/"), ("g/./h", "http://a/b/c/g/h"), ("g/../h", "http://a/b/c/h"),
        ("g;x=1/./y", "http://a/b/c/g;x=1/y"), ("g;x=1/../y", "http://a/b/c/y"),
        ("g?y/./x", "http://a/b/c/g?y/./x"), ("g#s/../x", "http://a/b/c/g#s/../x"),
    ])
    func referencesResolveAsTheRFCSays(_ reference: String, _ result: String) {
        let base = URLReference("http://a/b/c/d;p?q")
        #expect(URLReference(reference).resolved(against: base).text == result)
    }

    @Test func relativeMembersAreJoinedToTheLastURL() {
        let listed = Listed.remote(
            "#EXTM3U\nsongs/one.mp3\n../up.mp3\n/root.mp3\n?q=2\n//o.test/x\nA: b c.mp3\n")
        #expect(
            listed.urls == [
                "http://radio.test/deep/er/songs/one.mp3", "http://radio.test/deep/up.mp3",
                "http://radio.test/root.mp3", "http://radio.test/deep/er/list.m3u?q=2", "http://o.test/x",
                "http://radio.test/deep/er/A:%20b%20c.mp3",
            ])
    }

    @Test(arguments: [
        ("file:///etc/passwd", PlaybackFailure.Code.denied, "local file"),
        ("FILE:/etc/passwd", .denied, "local file"),
        ("rtsp://s.test/x", .unsupportedFormat, "scheme rtsp"),
        ("data:audio/mpeg;base64,AAAA", .unsupportedFormat, "scheme data"),
        ("C:\\Music\\a.mp3", .unsupportedFormat, "Windows"),
        ("\\\\nas\\a.mp3", .unsupportedFormat, "Windows"),
        ("http://", .unsupportedFormat, "no host"),
        ("http:/a", .unsupportedFormat, "no host"),
        ("http://a b/c", .unsupportedFormat, "no host"),
        ("http://s.test/a\u{1}b", .denied, "control character"),
    ])
    func whatAListOfTheNetworkMayNotNameIsLeftOut(
        _ location: String, _ code: PlaybackFailure.Code, _ reason: String
    ) {
        // Behind what is looked at to tell text from sound.
        let text = "#EXTM3U\n#" + String(repeating: "-", count: 1024) + "\n\(location)\n"
        let listed = Listed.remote(text + "http://s.test/ok\n")
        #expect(listed.urls == ["http://s.test/ok"])
        #expect(listed.playlist?.leftOut.first?.code == code)
        #expect(listed.playlist?.leftOut.first?.reason.contains(reason) == true)
        #expect(Listed.remote(text).failure?.code == code)
    }

    @Test(arguments: [
        "http://localhost/x", "http://127.0.0.1:8000/", "http://u@127.1/", "http://[::1]/",
        "http://[fe80::1]/",
        "http://[::ffff:127.0.0.1]/", "http://169.254.169.254/latest", "http://a.localhost./",
        "http://0.0.0.0/",
    ])
    func theInternetDoesNotLeadToThisMachine(_ location: String) {
        #expect(Listed.remote("#EXTM3U\n\(location)\n", mayLeadToThisMachine: false).failure?.code == .denied)
        #expect(Listed.remote("#EXTM3U\n\(location)\n").failure == nil)
    }

    @Test(arguments: [
        "http://127.test/", "http://localhost.test/", "http://10.0.0.1/", "http://[2001:db8::1]/",
    ])
    func otherHostsAreOtherHosts(_ location: String) {
        #expect(Listed.remote("#EXTM3U\n\(location)\n", mayLeadToThisMachine: false).urls == [location])
    }

    @Test(arguments: [
        ("file:///music/a%20b.mp3", "/music/a b.mp3"), ("file://localhost/music/x.mp3", "/music/x.mp3"),
        ("file:/music/x.mp3", "/music/x.mp3"), ("file:///music/a b#1.mp3", "/music/a b#1.mp3"),
        ("/abs/x.mp3", "/abs/x.mp3"), ("../x.mp3", "/x.mp3"), ("../../../x.mp3", "/x.mp3"),
        ("a: b.mp3", "/music/a: b.mp3"), ("HTTP://s.test/a b", "http://s.test/a%20b"),
    ])
    func aLocalListNamesFilesAndTheNetwork(_ location: String, _ url: String) {
        #expect(Listed.local("#EXTM3U\n\(location)\n", files: ["a b.mp3", "a b#1.mp3"]).urls == [url])
    }

    @Test func aListDoesNotNameTheListsItCameFrom() {
        let text = "#EXTM3U\nhttp://radio.test/a.m3u#x\nb.pls\n"
        let listed = Listed.remote(text, "http://radio.test/b.pls", ancestors: ["http://radio.test/a.m3u"])
        #expect(listed.failure?.code == .tooManyRedirects)
    }

    @Test func secretsOfWhatIsLeftOutAreMasked() {
        let listed = Listed.remote("#EXTM3U\nrtsp://me:geheim@s.test/x?token=geheim\nhttp://s.test/ok\n")
        #expect(listed.playlist?.leftOut.first?.location == "rtsp://s.test/x?token=***")
    }

    @Test(
        arguments: [
            // Shoutcast's own lists.
            (
                "[playlist]\nNumberOfEntries=2\nFile1=http://a.test/\nTitle1=(#1 - 12/500) Jazz FM\nLength1=-1\n"
                    + "File2=http://b.test/\nTitle2=(#2 - 3/100) Jazz FM\nLength2=-1\n", 1, "Jazz FM"
            ),
            ("#EXTM3U\n#EXTINF:-1\nhttp://a.test/\n#EXTINF:-1,\nhttp://b.test/\n", 1, nil),
            (
                "#EXTM3U\n#EXTINF:-1,Soma (#1): Chill\nhttp://a.test/\n#EXTINF:-1,Soma (#2): Chill\nhttp://b.test/\n",
                1, "Soma : Chill"
            ),
            // Two stations, two songs, files, a list in it.
            (
                "#EXTM3U\n#EXTINF:-1,Radio 1\nhttp://a.test/\n#EXTINF:-1,Radio 2\nhttp://b.test/\n", 2,
                "Radio 1"
            ),
            ("#EXTM3U\nhttp://a.test/1\nhttp://b.test/2\n", 2, nil),
            ("#EXTM3U\n#EXTINF:-1\nhttp://a.test/\n#EXTINF:5\nhttp://b.test/\n", 2, nil),
            ("#EXTM3U\n#EXTINF:-1\nhttp://a.test/\n#EXTINF:-1\nhttp://b.test/x.pls\n", 2, nil),
        ] as [(String, Int, String?)])
    func oneStationWithMirrorsIsOneMember(_ text: String, _ count: Int, _ title: String?) {
        let listed = Listed.remote(text, "http://radio.test/x")
        #expect(listed.urls.count == count)
        #expect(listed.titles.first == title)
        #expect(listed.playlist?.members.first?.mirrors == (count == 1 ? ["http://b.test/"] : []))
    }

    @Test func filesWithoutALengthAreNoMirrors() {
        #expect(Listed.local("#EXTM3U\n#EXTINF:-1\na.mp3\n#EXTINF:-1\nb.mp3\n").urls.count == 2)
    }
}
