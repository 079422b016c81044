import Base
import Glibc
import Terminal

extension Command {
    static let search = Command(
        name: "search", synopsis: "[WORDS…]",
        summary: "search the store: titles, creators, albums, summaries",
        details: """
            Parts of words count, accents and case do not. The marks are: • not heard, ◐ begun, ✓ heard, ↓ here.
            The ID is what show, download and open store:ID take.
            """,
        options: [
            CommandOption(name: "--kind", value: "KIND", help: "only track, episode, station or album")
        ] + StoreListing.options,
        words: 0...1000
    ) { (invocation) throws(ClientFailure) in
        try StoreListing.run(invocation, kind: nil, order: nil)
    }

    static let episodes = Command(
        name: "episodes", synopsis: "[WORDS…]", summary: "list episodes, the newest first",
        details: "With words: those that have them. The ID is what show, download and open store:ID take.",
        options: StoreListing.options, words: 0...1000
    ) { (invocation) throws(ClientFailure) in
        try StoreListing.run(invocation, kind: "episode", order: "-date")
    }

    static let stations = Command(
        name: "stations", synopsis: "[WORDS…]", summary: "list stations",
        options: StoreListing.options, words: 0...1000
    ) { (invocation) throws(ClientFailure) in
        try StoreListing.run(invocation, kind: "station", order: nil)
    }

    static let show = Command(
        name: "show", synopsis: "[--map] ID", summary: "show all that is known of an item of the store",
        details: "With --map: print where it is as a geo: URI, and open that on a desktop.",
        options: [CommandOption(name: "--map", help: "print the geo: URI, open it on a desktop")],
        words: 1...1, completes: .storeItem
    ) { (invocation) throws(ClientFailure) in
        let id = try StoreID.item(invocation.words[0])
        let result = try invocation.connect().call("store.show", .object(["id": .integer(id)]))
        if invocation.has("--map") { return try map(result, invocation) }
        if invocation.wantsJSON { return invocation.output.json(result) }
        guard let item = StoreItem(result) else { return }
        for line in ItemPage.lines(item, on: invocation.output) { invocation.output.line(line) }
    }

    static let browse = Command(
        name: "browse", summary: "browse the store in the terminal: find, read, play, download",
        details: "Type / to filter, Enter to play, ? for the other keys, q to leave."
    ) { (invocation) throws(ClientFailure) in
        guard isatty(0) == 1, isatty(1) == 1 else {
            throw .usage("browse needs a terminal; `jukectl search` prints lists anywhere")
        }
        let socket = invocation.options["--socket"].map { ["--socket", $0] } ?? []
        throw .refused(Installation.become("jukebox-browse", socket))
    }

    private static func map(_ item: JSONValue, _ invocation: Invocation) throws(ClientFailure) {
        guard let geo = StoreItem(item)?.geo else {
            throw .refused("it is not known where that is; its places are shown by `jukectl show`")
        }
        if invocation.wantsJSON {
            invocation.output.json(.object(["geo": .string(geo)]))
        } else {
            invocation.output.line(geo)
        }
        _ = Desktop.open(geo)
    }
}
