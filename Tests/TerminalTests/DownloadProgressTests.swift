import Base
import Testing

@testable import Terminal

@Suite struct DownloadProgressTests {
    private let values: [String: JSONValue] = [
        "downloads.9.state": .string("running"), "downloads.9.received": .integer(512),
        "downloads.9.fraction": .real(0.255),
        "downloads.4.state": .string("failed"), "downloads.4.error": .object(["message": .string("no room")]),
        "downloads.5.state": .string("running"), "downloads.5.fraction": .null,
        "downloads.x.state": .string("running"),
    ]

    @Test func aDownloadIsReadFromItsProperties() {
        let all = DownloadProgress.all(in: values)
        #expect(all.map(\.id) == [4, 5, 9])
        #expect(all[0].failure == "no room" && all[0].isSettled)
        #expect(all[1].percent == nil && all[2].percent == 25 && all[2].received == 512)
        #expect(DownloadProgress(3, in: values) == nil)
    }

    @Test(arguments: [(0, "┈┈┈┈"), (0.5, "━━┈┈"), (7, "━━━━"), (.nan, "┈┈┈┈")] as [(Double, String)])
    func aBarFills(fraction: Double, bar: String) {
        #expect(ProgressBar.text(fraction, columns: 4) == bar)
    }
}
