import Testing

@testable import Playlist

@Suite struct PLSTests {
    @Test(
        arguments: [
            ("[playlist]\nFile1=http://s.test/a.mp3\nTitle1=A FM\n", ["http://s.test/a.mp3"], ["A FM"]),
            (
                "[playlist]\r\nNumberOfEntries=3\r\nFile1=http://s.test/a.mp3\r\nLength1=-1\r\nVersion=2\r\n",
                ["http://s.test/a.mp3"], [nil]
            ),
            (
                "[Playlist]\nnumberofentries = 2\nfile1 = http://s.test/a.mp3\nFILE2=http://s.test/b.mp3?x=1=2\n"
                    + "title2=B = C\n", ["http://s.test/a.mp3", "http://s.test/b.mp3?x=1=2"], [nil, "B = C"]
            ),
            ("File1=http://s.test/a\n", ["http://s.test/a"], [nil]),
            (
                "[playlist]\nFile10=http://s.test/b\nFile9=http://s.test/a\n",
                ["http://s.test/a", "http://s.test/b"], [nil, nil]
            ),
            ("[playlist]\nFile1=\nTitle1=x\nFile2=http://s.test/b\n", ["http://s.test/b"], [nil]),
            (
                "[playlist]\nFile99999999999999999999=http://s.test/x\nFile1=http://s.test/b\n",
                ["http://s.test/b"], [nil]
            ),
        ] as [(String, [String], [String?])])
    func theNumberedKeysCountAndNotTheCount(_ text: String, _ urls: [String], _ titles: [String?]) {
        let listed = Listed.remote(text, "http://radio.test/x")
        #expect(listed.urls == urls)
        #expect(listed.titles == titles)
    }

    @Test func referencesOfWindowsMediaAreWaysToOneThing() {
        let listed = Listed.remote(
            "[Reference]\nRef1=http://s.test/a\nRef2=http://s.test/b\n", "http://radio.test/x")
        #expect(listed.urls == ["http://s.test/a"])
        #expect(listed.playlist?.members[0].mirrors == ["http://s.test/b"])
    }
}

@Suite struct XSPFTests {
    static let relative = """
        <?xml version="1.0" encoding="UTF-8"?>
        <playlist version="1" xmlns="http://xspf.org/ns/0/"><title>List</title><trackList>
        <track><location>(1990)%20A%20-%20B%20%5B16Bit%5D%2F10.%20The%20Song.mp3</location>
        <title>The &amp; Song</title><creator>C</creator><album>D</album><duration>61500</duration></track>
        <track><location>(1990)%20A%20-%20B%20%5B16Bit%5D/10.%20The%20Song.mp3</location>
        <location>http://alt.test/x</location>
        <extension application="x"><title>not this</title></extension></track>
        <track><title>no location</title></track>
        </trackList></playlist>
        """

    @Test func locationsAreDecodedOnceAndTheFirstWins() {
        let name = "(1990) A - B [16Bit]/10. The Song.mp3"
        let listed = Listed.local(Self.relative, "rel.xspf", files: [name])
        #expect(listed.urls == ["/music/\(name)", "/music/\(name)"])
        #expect(listed.titles == ["The & Song", nil])
        let first = listed.playlist?.members.first
        #expect(first?.duration == 61.5 && first?.artist == "C" && first?.album == "D")
    }

    @Test func locationsStayDecodedOnceWhereNoFileIsThere() {
        #expect(
            Listed.local(Self.relative, "rel.xspf").urls[1] == "/music/(1990) A - B [16Bit]/10. The Song.mp3")
    }

    @Test func locationsOfATrackAreMirrors() {
        let listed = Listed.remote(
            "<playlist><trackList><track><location>a</location><location>http://b.test/b</location></track>"
                + "<track><location>c</location></track></trackList></playlist>", "http://a.test/l/x.xspf")
        #expect(listed.urls == ["http://a.test/l/a", "http://a.test/l/c"])
        #expect(listed.playlist?.members.map(\.mirrors) == [["http://b.test/b"], []])
    }

    @Test(arguments: [
        "<playlist><trackList><track><location>http://s.test/?a=1&b=2</location><title>R & B</title></track>",
        "<?xml version='1.0' encoding='windows-1252'?><PlayList><tracklist><TRACK><location>http://s.test/?a=1&amp;b=2"
            + "</location><Title>R &amp; B</Title></TRACK></tracklist></PlayList>",
    ])
    func whatIsNoXMLIsReadLoosely(_ text: String) {
        let listed = Listed.remote(text)
        #expect(listed.urls == ["http://s.test/?a=1&b=2"])
        #expect(listed.titles == ["R & B"])
    }

    @Test func entitiesOfTheListsOwnGrowNothing() {
        let bomb =
            "<!DOCTYPE p [<!ENTITY a 'aaaaaaaaaa'><!ENTITY b '&a;&a;&a;'>]><playlist><trackList><track>"
            + "<location>http://s.test/&b;</location></track></trackList></playlist>"
        #expect(Listed.remote(bomb).urls == ["http://s.test/&b;"])
    }
}

@Suite struct ASXTests {
    @Test(
        arguments: [
            (
                "<ASX version=\"3.0\">\n <entry>\n  <ref href = \"http://s.test/rtl?context=fHA6LTE%3D\" />\n"
                    + "  <Abstract>x</Abstract>\n  <Title>One</title>\n </Entry>\n <Entry><REF HREF='http://s.test/two'/>"
                    + "</entry>\n</ASX>\n", ["http://s.test/rtl?context=fHA6LTE%3D", "http://s.test/two"],
                ["One", nil]
            ),
            (
                "<asx version=\"3.0\"><entry><title>Rock & Pop</title><ref href=\"http://s.test/x?a=1&b=2\"/></entry></asx>",
                ["http://s.test/x?a=1&b=2"], ["Rock & Pop"]
            ),
            (
                "<asx><title>List</title><entry><ref href=http://s.test/a></entry>", ["http://s.test/a"],
                ["List"]
            ),
            (
                "<asx><entryref href=\"http://s.test/b.asx\"/><ref href='c'/>",
                ["http://s.test/b.asx", "http://radio.test/c"], [nil, nil]
            ),
            (
                "<?xml?><!-- <ref href='no'/> --><asx><entry><ref href='http://s.test/&#97;&amp;b'/><title><![CDATA[A & <B>]]></title></entry></asx>",
                ["http://s.test/a&b"], ["A & <B>"]
            ),
        ] as [(String, [String], [String?])])
    func markupIsReadLooselyAndCaseBlind(_ text: String, _ urls: [String], _ titles: [String?]) {
        let listed = Listed.remote(text, "http://radio.test/x")
        #expect(listed.urls == urls)
        #expect(listed.titles == titles)
    }

    @Test func referencesOfAnEntryAreMirrors() {
        let listed = Listed.remote(
            "<asx><entry><duration value='01:02:03.5'/><ref href='http://a.test/'/><ref href='mms://b.test/'/>"
                + "<ref href='http://c.test/'/></entry></asx>")
        #expect(listed.urls == ["http://a.test/"])
        #expect(listed.playlist?.members[0].mirrors == ["http://c.test/"])
        #expect(listed.playlist?.members[0].duration == 3723.5)
        #expect(listed.playlist?.leftOut.map(\.location) == ["mms://b.test/"])
    }
}
