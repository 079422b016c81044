import Foundation
import Testing

@testable import Loader

@Suite struct FreshnessTests {
    /// A head that came at 100,000 s, and was asked for a second before.
    private func freshness(_ headers: [(String, String)]) -> Freshness {
        var head = ResponseHead()
        _ = head.add(Array("HTTP/1.1 200 OK\r\n".utf8))
        for (name, value) in headers { _ = head.add(Array("\(name): \(value)\r\n".utf8)) }
        _ = head.add(Array("\r\n".utf8))
        return Freshness(head, asked: 99_999, received: 100_000)
    }

    private static func date(_ time: Double) -> String {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(identifier: "GMT")
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        return formatter.string(from: Date(timeIntervalSince1970: time))
    }

    @Test(
        arguments: [
            ([("Cache-Control", "max-age=60")], 59.0),
            ([("Cache-Control", "public, Max-Age=\"60\"")], 59),
            ([("Cache-Control", "max-age=60"), ("Age", "20")], 39),
            ([("Cache-Control", "max-age=60"), ("Expires", date(0))], 59),
            ([("Cache-Control", "max-age=-1")], 0), ([("Cache-Control", "max-age=x")], 0),
            ([("Cache-Control", "max-age=99999999999999999999")], 2_147_483_647),
            ([("Expires", date(100_500)), ("Date", date(100_000))], 499),
            ([("Expires", "0")], 0), ([("Expires", "never"), ("Last-Modified", date(0))], 0),
            ([("Last-Modified", date(50_000)), ("Date", date(100_000))], 4999),
            ([("Last-Modified", date(50_000))], 4999),
            ([("Last-Modified", date(200_000))], 0), ([("Last-Modified", "rubbish")], 0), ([], 0),
        ] as [([(String, String)], Double)])
    func itLastsAsLongAsTheServerSays(headers: [(String, String)], seconds: Double) {
        let freshness = freshness(headers)
        #expect(abs(freshness.freshUntil - 100_000 - seconds) < 1.5)
        #expect(freshness.isFresh(at: 100_000) == (seconds > 0))
        #expect(!freshness.isFresh(at: 100_002 + seconds))
        // A clock that was set back tells nothing.
        #expect(!freshness.isFresh(at: 90_000))
    }

    @Test(
        arguments: [
            [("Cache-Control", "no-cache, max-age=60")],
            [("Pragma", "no-cache"), ("Expires", date(200_000))],
            [("Cache-Control", "max-age=60"), ("Vary", "*")],
        ] as [[(String, String)]])
    func whatMustBeAskedAboutIsNeverFresh(headers: [(String, String)]) {
        #expect(!freshness(headers).isFresh(at: 100_000))
        #expect(!freshness(headers).mayServeStale)
    }

    @Test func staleIsServedOnlyWhereThatIsAllowed() {
        #expect(freshness([("Cache-Control", "max-age=1")]).mayServeStale)
        #expect(!freshness([("Cache-Control", "max-age=1, must-revalidate")]).mayServeStale)
    }
}
