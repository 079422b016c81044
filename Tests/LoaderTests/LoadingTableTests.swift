import Base
import Support
import Testing

@testable import Loader

/// What servers do to requests for parts, row by row.
@Suite struct LoadingTableTests {
    private func check(_ row: LoadingRow) throws {
        let server = try ScriptedServer(row.script)
        let opened = Opened(server.url("/a.mp3"))
        if case .failure(let code) = row.outcome {
            #expect(opened.failure?.code == code)
        } else {
            let got = opened.reader.read(from: 0, atMost: LoadingRow.count)
            #expect(difference(got, LoadingRow.bytes) == nil)
        }
        switch row.outcome {
        case .whole:
            #expect(opened.reader.isEnd(at: Int64(LoadingRow.count)))
            #expect(opened.source.information?.length == Int64(LoadingRow.count))
            #expect(opened.source.information?.isLive == false)
        case .wholeThen(let code): #expect(opened.reader.failure(at: Int64(LoadingRow.count))?.code == code)
        case .live: #expect(opened.source.information?.isLive == true)
        case .failure: break
        }
        // A station that ends is asked for again and again.
        let asked = server.requests.map(\.rangeStart)
        if row.outcome == .live { #expect(asked.first == 0) } else { #expect(asked == row.asked) }
    }

    @Test(arguments: LoadingRow.ranges) func whatIsSaidOfRangesIsBelievedOrAskedAnew(row: LoadingRow) throws {
        try check(row)
    }

    @Test(arguments: LoadingRow.refusals) func firstRequestsThatAreRefused(row: LoadingRow) throws {
        try check(row)
    }

    @Test(arguments: LoadingRow.lengths) func lengthsOfAllKinds(row: LoadingRow) throws { try check(row) }

    @Test(arguments: LoadingRow.heads) func headsAndEncodingsOfAllKinds(row: LoadingRow) throws {
        try check(row)
    }
}
