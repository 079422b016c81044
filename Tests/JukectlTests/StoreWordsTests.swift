import Base
import Testing

@testable import jukectl

/// What people type about the store, and how it is understood.
@Suite struct StoreWordsTests {
    private func parameters(_ line: String, kind: String? = nil, order: String? = nil) throws(ClientFailure)
        -> String
    {
        let words = line.split(separator: " ").map(String.init)
        guard case .run(_, let invocation) = try CommandLineParser(commands: CommandTable.all).parse(words)
        else {
            return ""
        }
        return JSONText(
            JSONValue.object(JSONMembers(try StoreListing.parameters(invocation, kind: kind, order: order)))
        ).string
    }

    @Test func theHelpNamesEveryOrder() {
        let help = StoreListing.options.first { $0.name == "--sort" }?.help
        #expect(help?.hasPrefix(StoreListing.orders.joined(separator: ", ")) == true)
    }

    @Test(arguments: [
        ("search", #"{}"#), ("search two words", #"{"query":"two words"}"#),
        ("search --kind album --source 3 x", #"{"kind":"album","query":"x","source":3}"#),
        (
            "search --unheard --available --sort -date --offset 5 --limit 2",
            #"{"available":true,"limit":2,"offset":5,"sort":"-date","unheard":true}"#
        ),
    ])
    func aListIsAskedForAsTyped(line: String, json: String) throws {
        #expect(try parameters(line) == json)
    }

    @Test func episodesAreTheNewestFirst() throws {
        #expect(
            try parameters("episodes", kind: "episode", order: "-date")
                == #"{"kind":"episode","sort":"-date"}"#)
    }

    @Test(arguments: ["search --sort size", "search --limit few", "search --offset -1", "search --source x"])
    func aMistakeIsWrongUsage(line: String) {
        #expect(throws: ClientFailure.self) { try parameters(line) }
    }

    @Test func itemsAreNamedByIDOrAddress() throws {
        #expect(try StoreID.items(["12", "store:7", "12"]) == [12, 7])
        #expect(throws: ClientFailure.self) { try StoreID.item("song.mp3") }
        #expect(throws: ClientFailure.self) { try StoreID.item("-1") }
    }

    @Test func downloadsAreCountedTogether() {
        let values: [String: JSONValue] = [
            "downloads.2.state": .string("running"), "downloads.2.fraction": .real(0.5),
            "downloads.2.received": .integer(2048), "downloads.3.state": .string("running"),
        ]
        let bar = String(repeating: "━", count: 22) + String(repeating: "┈", count: 8)
        #expect(DownloadWatch.text([1, 2], open: [2], values) == "1 of 2  \(bar) 75%  2.0 KiB")
        #expect(DownloadWatch.text([3], open: [3], values) == "0 B")
    }
}
