/// What happened to the URLs that were opened lately, in order; kept in memory, bounded, without secrets.
///
/// Any thread may note; a note costs some microseconds, so none is written for each piece of sound.
package final class Journal: Sendable {
    /// What a note is about.
    package enum Kind: String, Sendable, CaseIterable {
        /// It was opened; begins a chapter of its own.
        case open
        case connect, response, redirect, playlist, cache, decoder, retry, error
    }

    /// One thing that happened.
    package struct Note: Equatable, Sendable {
        /// Unix time in seconds.
        package let at: Double
        package let kind: Kind
        /// A sentence without a full stop, all secrets masked.
        package let text: String
    }

    /// What is known of one URL.
    package struct Story: Equatable, Sendable {
        /// Without secrets.
        package let url: String
        /// Oldest first.
        package internal(set) var notes: [Note]
        /// Notes that were left out before the last of these, for want of room.
        package internal(set) var omitted: Int

        /// A story that has not begun.
        package init(url: String) {
            self.url = URLMask.shown(url)
            notes = []
            omitted = 0
        }
    }

    /// URLs that are remembered; that many notes of each, and as many bytes of a note.
    private static let mostStories = 64
    private static let mostNotes = 100
    private static let mostBytes = 400

    private struct State {
        /// By the URL as it was given, the one that was noted last at the end.
        var stories: [(key: String, story: Story)] = []
    }

    private let state = Guarded(State())
    private let now: @Sendable () -> Double

    /// Takes the clock for what is noted, in unix time.
    package init(now: @escaping @Sendable () -> Double = { Clocks.unixTime }) { self.now = now }

    /// Adds a note to the story of a URL; the URL as it was given to be opened, the text with URLs as they are.
    package func note(_ url: String, _ kind: Kind, _ text: String) {
        let note = Note(at: now(), kind: kind, text: Self.clean(text))
        state.withLock { state in
            var entry =
                state.stories.firstIndex { $0.key == url }.map { state.stories.remove(at: $0) }
                ?? (key: url, story: Story(url: url))
            // What two parts of the daemon tell is told once.
            let isTold = entry.story.notes.suffix(3).contains { $0.kind == kind && $0.text == note.text }
            if !isTold || kind == .open { entry.story.notes.append(note) }
            if entry.story.notes.count > Self.mostNotes {
                // How it began and how it is now are what tells most.
                entry.story.notes.remove(at: Self.mostNotes / 2)
                entry.story.omitted += 1
            }
            state.stories.append(entry)
            if state.stories.count > Self.mostStories { state.stories.removeFirst() }
        }
    }

    /// What is known of a URL, given in full or as it is shown; nil when nothing is.
    package func story(of url: String) -> Story? {
        let shown = URLMask.shown(url)
        return state.withLock { state in
            let exact = state.stories.last { $0.key == url }
            return (exact ?? state.stories.last { $0.story.url == shown })?.story
        }
    }

    /// One line of bounded length in which no URL shows a secret.
    private static func clean(_ text: String) -> String {
        let line = String(String.UnicodeScalarView(text.unicodeScalars.map { $0.value < 0x20 ? " " : $0 }))
        let words = line.split(separator: " ", omittingEmptySubsequences: false).map { word in
            word.contains("://") ? URLMask.shown(String(word)) : String(word)
        }
        let masked = words.joined(separator: " ")
        return masked.utf8.count <= mostBytes ? masked : String(masked.prefix(mostBytes / 4)) + "…"
    }
}

extension Journal.Story: JSONRepresentable {
    package func write(to text: inout JSONText) {
        text.object { text in
            text.member("url", url)
            text.member("omitted", omitted)
            text.member("notes", notes)
        }
    }
}

extension Journal.Note: JSONRepresentable {
    package func write(to text: inout JSONText) {
        text.object { text in
            text.member("at", at)
            text.member("kind", kind.rawValue)
            text.member("text", self.text)
        }
    }
}
