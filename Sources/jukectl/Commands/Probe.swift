import Base

extension Command {
    static let probe = Command(
        name: "probe", synopsis: "FILE|URL", summary: "tell what an item is, without playing it",
        details: """
            Container, codec, rate, length, whether it joins its neighbours without a gap, tags and picture,
            as the daemon would play it.
            """,
        words: 1...1, completes: .path
    ) { (invocation) throws(ClientFailure) in
        let url = Address.resolve(invocation.words[0])
        let result = try invocation.connect().call("probe", .object(["url": .string(url)]))
        if invocation.wantsJSON { return invocation.output.json(result) }
        for line in ProbeText.lines(result, on: invocation.output) { invocation.output.line(line) }
    }
}
