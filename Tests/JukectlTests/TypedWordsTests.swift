import Base
import Terminal
import Testing

@testable import jukectl

/// What people type, and how it is understood.
@Suite struct TypedWordsTests {
    @Test(
        arguments: [
            ("83", 83), ("1:23", 83), ("1:02:03", 3723), ("0:01.5", 1.5), ("90", 90), ("120:00", 7200),
        ] as [(String, Double)])
    func timesAreRead(text: String, seconds: Double) {
        #expect(ClockText.read(text) == seconds)
    }

    @Test(arguments: ["", ":", "1:", "1:60", "1:2:3:4", "-1", "1.5:00", "nan", "1e3", "0x1", "x"])
    func whatIsNoTimeIsRefused(text: String) {
        #expect(ClockText.read(text) == nil)
    }

    @Test(
        arguments: [
            (0, "0:00"), (59.9, "0:59"), (83, "1:23"), (3723, "1:02:03"), (.nan, "0:00"), (-1, "0:00"),
        ] as [(Double, String)])
    func timesAreWritten(seconds: Double, text: String) {
        #expect(ClockText.write(seconds) == text)
    }

    @Test(arguments: [
        ("+30", #"{"by":30}"#), ("-1:30", #"{"by":-90}"#), ("1:23", #"{"to":83}"#),
        ("live", #"{"to":"live"}"#),
    ])
    func seekTakesWhatPeopleWrite(word: String, parameters: String) throws {
        #expect(JSONText(try Command.seekParameters(word)).string == parameters)
    }

    @Test(arguments: [
        ("40", Command.VolumeChange.to(40)), ("+5", .by(5)), ("-5", .by(-5)), ("40%", .to(40)),
    ])
    func volumeTakesWhatPeopleWrite(word: String, change: Command.VolumeChange) throws {
        #expect(try Command.volumeChange(word) == change)
    }

    @Test(arguments: ["loud", "", "101", "4.5", "%"])
    func whatIsNoVolumeIsRefused(word: String) {
        #expect(throws: ClientFailure.self) { try Command.volumeChange(word) }
    }

    @Test(arguments: [
        ("http://a/b", "http://a/b"), ("/x.mp3", "/x.mp3"), ("x.mp3", "/home/me/x.mp3"),
        ("./x.mp3", "/home/me/x.mp3"), ("../x.mp3", "/home/me/../x.mp3"), ("file:///x", "file:///x"),
        ("a:b.mp3", "/home/me/a:b.mp3"), ("Artist: Title.mp3", "/home/me/Artist: Title.mp3"),
        ("store:12", "store:12"), ("HTTP://a/b", "HTTP://a/b"),
    ])
    func addressesAreMadeAbsolute(text: String, address: String) {
        #expect(Address.resolve(text, in: "/home/me") == address)
    }

    @Test(arguments: [
        (JSONValue.string("playing"), "playing", true), (.integer(40), "40", true),
        (.integer(40), "40.0", true),
        (.bool(true), "true", true), (.null, "null", true), (.string("40"), "40", true),
        (.string("playing"), "paused", false), (.bool(true), "1", false),
    ])
    func valuesAreComparedAsTyped(value: JSONValue, text: String, isMatch: Bool) {
        #expect(ValueText.matches(value, text) == isMatch)
    }
}
