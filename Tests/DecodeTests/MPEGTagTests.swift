import Base
import Testing

@testable import Decode

@Suite struct MPEGTagTests {
    private func tags(_ name: String) -> Tags { Decoded.file(name).information?.tags ?? Tags() }

    @Test func aBigCoverComesWhole() {
        let tags = tags("big-cover.mp3")
        #expect(tags.title == "Big")
        #expect(tags.picture?.mediaType == "image/png")
        #expect(tags.picture?.bytes == Fixtures.data("png.bin"))
    }

    @Test func anUnsynchronisedTagOfVersionThreeIsReadInStep() {
        let tags = tags("unsync23.mp3")
        #expect(tags.title == "Þýska ÿþ")
        #expect(tags.artist == "ABC")
        #expect(tags.genre == "Rock")
        #expect(tags.picture?.bytes == Fixtures.data("jpeg.bin"))
    }

    @Test func versionTwoIsRead() {
        let tags = tags("id3v22.mp3")
        #expect(tags.title == "Two")
        #expect(tags.artist == "Artist")
        #expect(tags.album == "Album")
        #expect(tags.picture?.bytes == Array(Fixtures.data("png.bin").prefix(9000)))
    }

    @Test func textIsOneLineOfValidUTF8() {
        let tags = tags("breaks.mp3")
        #expect(tags.title == "I'm OK OK  last")
        #expect(tags.artist?.hasPrefix("bad ") == true)
        #expect(tags.genre == "Rock")
        #expect(tags.track == "3/9")
        #expect(tags.date == "2024-05-01")
        #expect(tags.fields.contains(.init("TXXX:mood", "calm")))
    }

    @Test func theTailsTagsAreRead() {
        #expect(tags("ape-tail.mp3").title == "Åpe")
        let old = tags("id3v1.mp3")
        #expect(old.title == "Old Title é")
        #expect(old.artist == "Old Artist")
        #expect(old.album == "Old Album")
        #expect(old.date == "1999")
        #expect(old.track == "5")
        #expect(old.genre == "Rock")
    }

    @Test func tagsBeforeJunkAreRead() {
        #expect(tags("zeros.mp3").title == "Z")
        #expect(tags("hidden.mp3").title == "Hidden")
    }

    @Test(arguments: [
        ("17", "Rock"), ("(17)", "Rock"), ("(4)Eurodisco", "Eurodisco"), ("(RX)(17)", "Remix, Rock"),
        ("Rock", "Rock"), ("((17)", "(17)"), ("999", "999"), ("(x", "(x"), ("", ""), ("()", "()"),
    ])
    func genresMayBeNumbers(text: String, genre: String) {
        #expect(Genres.text(ofID3: text) == genre)
    }
}
