import Base
import Testing

@testable import jukectl

@Suite struct StoryTextTests {
    private let output = Output(wantsJSON: false, isTerminal: false)

    @Test func eachNoteIsALine() {
        let note = JSONValue.object([
            "at": .real(61.25), "kind": .string("error"), "text": .string("is gone"),
        ])
        let story = JSONValue.object([
            "url": .string("http://a/"), "omitted": .integer(3), "notes": .array([note]),
        ])
        let lines = StoryText.lines(story, on: output, zone: { "t\($0)" })
        #expect(lines == ["http://a/", "t61.250  error    is gone", "(3 more in between)"])
    }

    @Test func whatWasNotOpenedHasNoStory() {
        let story = JSONValue.object(["url": .string("/a.mp3"), "notes": .array([])])
        #expect(StoryText.lines(story, on: output) == ["/a.mp3", "not opened yet"])
    }
}
