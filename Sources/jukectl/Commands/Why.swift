import Base

extension Command {
    static let why = Command(
        name: "why", synopsis: "[URL]", summary: "tell what happened to a URL, step by step",
        details: """
            With no URL: the current item, or what failed last. Connections, redirects, playlists, answers,
            what the decoder found, what failed and was tried again; without passwords and tokens.
            """,
        words: 0...1, completes: .path
    ) { (invocation) throws(ClientFailure) in
        let url = invocation.words.first.map { JSONValue.object(["url": .string(Address.resolve($0))]) }
        let story = try invocation.connect().call("explain", url ?? .null)
        if invocation.wantsJSON { return invocation.output.json(story) }
        for line in StoryText.lines(story, on: invocation.output) { invocation.output.line(line) }
    }
}
