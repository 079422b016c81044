import Base
import Testing

@Suite struct JournalTests {
    private func texts(_ journal: Journal, _ url: String) -> [String] {
        journal.story(of: url)?.notes.map(\.text) ?? []
    }

    @Test func notesStayInOrderByURL() {
        let journal = Journal(now: { 7 })
        journal.note("http://a/", .open, "opened")
        journal.note("http://b/", .open, "opened")
        journal.note("http://a/", .error, "is gone")
        #expect(texts(journal, "http://a/") == ["opened", "is gone"])
        #expect(journal.story(of: "http://a/")?.notes.last?.kind == .error)
        #expect(journal.story(of: "http://a/")?.notes.last?.at == 7)
        #expect(journal.story(of: "http://c/") == nil)
    }

    @Test func noSecretOfAURLIsTold() {
        let journal = Journal()
        let url = "http://me:geheim@a/?token=geheim&x=1"
        journal.note(url, .redirect, "led to https://you:geheim@b/c?sig=geheim\nand on")
        let story = journal.story(of: url)
        #expect(story?.url == "http://a/?token=***&x=1")
        #expect(story?.notes[0].text == "led to https://b/c?sig=*** and on")
        #expect(JSONText(story).string.contains("geheim") == false)
    }

    @Test func aURLIsKnownAsItIsShown() {
        let journal = Journal()
        journal.note("http://a/?token=geheim", .open, "opened")
        #expect(texts(journal, "http://a/?token=***") == ["opened"])
    }

    @Test func theMiddleOfALongStoryIsLeftOut() {
        let journal = Journal()
        for number in 0..<250 { journal.note("http://a/", .retry, "\(number)") }
        let story = journal.story(of: "http://a/")
        #expect(story?.notes.count == 100 && story?.omitted == 150)
        #expect(story?.notes.first?.text == "0" && story?.notes.last?.text == "249")
    }

    @Test func theOldestStoriesGo() {
        let journal = Journal()
        for number in 0..<100 { journal.note("http://a/\(number)", .open, "opened") }
        #expect(journal.story(of: "http://a/35") == nil)
        #expect(journal.story(of: "http://a/36") != nil)
    }

    @Test func whatIsToldTwiceIsKeptOnce() {
        let journal = Journal()
        for _ in 0..<2 { journal.note("http://a/", .error, "is gone") }
        for _ in 0..<2 { journal.note("http://a/", .open, "opened") }
        #expect(texts(journal, "http://a/") == ["is gone", "opened", "opened"])
    }

    @Test func longNotesAreCut() {
        let journal = Journal()
        journal.note("http://a/", .error, String(repeating: "é", count: 10_000))
        #expect(texts(journal, "http://a/")[0].utf8.count <= 400)
    }
}
