import Base
import Testing

@testable import Playlist

@Suite struct M3UTests {
    @Test(arguments: [
        "\u{feff}one.mp3\r\ntwo.mp3\r\n", "one.mp3\rtwo.mp3", "\n\n  one.mp3 \n# note\n\ttwo.mp3\t",
        "\u{feff}#EXTM3U\r\n#EXTINF:5,One\r\none.mp3\r\n\r\n# note\r\ntwo.mp3",
    ])
    func anyLineEndAndMarkGivesTheSameMembers(_ text: String) {
        #expect(Listed.local(text).urls == ["/music/one.mp3", "/music/two.mp3"])
    }

    @Test func aMarkDoesNotHideTheFirstTitle() {
        let listed = Listed.local("\u{feff}#EXTM3U\r\n#EXTINF:5,One\r\none.mp3\r\n\r\n# note\r\ntwo.mp3")
        #expect(listed.titles == ["One", nil])
        #expect(listed.playlist?.members[0].duration == 5)
    }

    @Test func whatIsNotUTF8IsLatin1() {
        let bytes = "#EXTM3U\n#EXTINF:1,Grønn bølge\nGrønn bølge.mp3\nFrühling.mp3\n".unicodeScalars
            .map { UInt8($0.value) }
        let listed = Listed.local(bytes)
        #expect(listed.urls == ["/music/Grønn bølge.mp3", "/music/Frühling.mp3"])
        #expect(listed.titles == ["Grønn bølge", nil])
    }

    @Test(arguments: [true, false])
    func utf16IsReadByItsMark(_ isLittle: Bool) {
        var bytes: [UInt8] = []
        for unit in "\u{feff}#EXTM3U\nFrühling ☀.mp3\n".utf16 {
            let pair = [UInt8(unit >> 8), UInt8(unit & 255)]
            bytes += isLittle ? pair.reversed() : pair
        }
        #expect(Listed.local(bytes).urls == ["/music/Frühling ☀.mp3"])
    }

    @Test func theLiteralNameComesFirstThenTheDecodedOne() {
        let files: Set = ["with space #1.mp3", "100%25 real.mp3", "what?.mp3", "Xyü.mp3"]
        let list =
            "#EXTM3U\nwith%20space%20%231.mp3\n100%25 real.mp3\nwhat?.mp3\nXy%C3%BC.mp3\n"
            + "./sub/../with space #1.mp3\n"
        let names = ["with space #1", "100%25 real", "what?", "Xyü", "with space #1"]
        #expect(Listed.local(list, "odd.m3u8", files: files).urls == names.map { "/music/\($0).mp3" })
    }

    @Test func pathsWithBackslashesAreFound() {
        let listed = Listed.local("sub\\a.mp3\nno\\b.mp3", files: ["sub/a.mp3"])
        #expect(listed.urls == ["/music/sub/a.mp3", "/music/no\\b.mp3"])
    }

    @Test(
        arguments: [
            ("295,Test 123, part 14", "Test 123, part 14", 295.0),
            (
                #"-1 tvg-id="" tvg-name="The Good, the Bad" tvg-logo="http://i.test/CR0,0,182.jpg" group-title="a,b","#
                    + "The Good, the Bad", "The Good, the Bad", nil
            ),
            ("12.5", nil, 12.5),
            (",", nil, nil),
            ("-1,Kaori, Ai - Sakurai", "Kaori, Ai - Sakurai", nil),
            ("0,Nobody knows", "Nobody knows", nil),
            (#"3,Say "hello, you"#, #"Say "hello, you"#, 3),
            (#"-1 a="open,Title"#, "Title", nil),
            (" 7 ,\u{85} Two\tblanks  here ", "Two blanks here", 7),
            ("nan,T", "T", nil),
            ("99999999999999999999999,T", "T", nil),
            ("", nil, nil),
        ] as [(String, String?, Double?)])
    func aCommaOutsideQuotesEndsTheAttributes(_ line: String, _ title: String?, _ seconds: Double?) {
        let listed = Listed.remote("#EXTM3U\n#EXTINF:\(line)\nhttp://s.test/1\n")
        #expect(listed.urls == ["http://s.test/1"])
        #expect(listed.titles == [title])
        #expect(listed.playlist?.members[0].duration == seconds)
    }

    @Test func informationBelongsToTheNextMemberOnly() {
        let listed = Listed.remote(
            "#EXTM3U\n#EXTINF:1,One\n#EXTART:Her\n#EXTALB:It\nhttp://s.test/1\nhttp://s.test/2")
        #expect(listed.titles == ["One", nil])
        #expect(listed.playlist?.members.map(\.artist) == ["Her", nil])
        #expect(listed.playlist?.members.map(\.album) == ["It", nil])
    }

    @Test func aMemberWithoutATitleShowsItsFileName() {
        let listed = Listed.remote("#EXTM3U\nhttp://s.test/a/The%20Song.mp3?x=/y.mp3\nhttp://s.test/\n")
        #expect(listed.playlist?.members.map(\.title) == ["The Song.mp3", nil])
        #expect(listed.playlist?.members.map(\.isTitleGuessed) == [true, true])
    }

    @Test func aLineThatIsNoURLIsLeftOutAndTheRestRead() {
        let long = String(repeating: "a", count: 1 << 20)
        let listed = Listed.remote("#EXTM3U\nhttp://s.test/\(long)\nhttp://s.test/ok.mp3\n")
        #expect(listed.urls == ["http://s.test/ok.mp3"])
        #expect(listed.playlist?.leftOutCount == 1)
        #expect(listed.playlist?.leftOut[0].reason.contains("too long") == true)
    }

    @Test func longListsAreReadToTheirEndOrNotAtAll() {
        let lines = (0..<20_000).map { "#EXTINF:1,T \($0)\nhttp://s.test/\($0).mp3\n" }
        let bytes = Array(("#EXTM3U\n" + lines.joined()).utf8)
        let origin = PlaylistOrigin(.network(url: "http://s.test/list.m3u"))
        let listed = Listed.read(bytes, origin)
        #expect(listed.urls.count == 20_000 && listed.urls.last == "http://s.test/19999.mp3")
        #expect(
            Listed.read(bytes, origin, limit: 19_999).failure?.message.contains("more than 19999") == true)
    }

    @Test func aListWithoutAMemberIsEmpty() {
        #expect(Listed.local("#EXTM3U\n# nothing\n").failure?.code == .empty)
    }
}
