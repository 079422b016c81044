import Base
import Foundation
import Testing
import Wire

/// The example transcripts of `protocol/transcripts`, replayed; `protocol/README.md` describes their form.
@Suite struct TranscriptTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../protocol/transcripts").standardized

    static let all = (try? names()) ?? []

    static func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".jsonl") }
            .sorted()
    }

    @Test func thereAreTranscripts() throws { #expect(try TranscriptTests.names().count >= 5) }

    @Test(arguments: TranscriptTests.all)
    func theDaemonStillSaysWhatTheTranscriptSays(_ name: String) throws {
        let server = try TestServer()
        var clients: [Substring: TestClient] = [:]
        let text = try String(
            contentsOf: TranscriptTests.folder.appendingPathComponent(name), encoding: .utf8)
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            let who = line.prefix { $0.isNumber }
            let rest = line.dropFirst(who.count)
            let client = try clients[who] ?? server.client()
            clients[who] = client
            if rest.hasPrefix("> ") {
                client.send(rest.dropFirst(2) + "\n")
            } else {
                let expected = try JSONParser.parse(Array(rest.dropFirst(2).utf8))
                let given = try client.message()
                #expect(matches(given, expected), "\(line)\ncame as \(JSONText(given).string)")
            }
        }
    }

    /// `"…"` stands for any value.
    private func matches(_ given: JSONValue, _ expected: JSONValue) -> Bool {
        switch (given, expected) {
        case (_, .string("…")): true
        case (.object(let given), .object(let expected)):
            given.count == expected.count
                && expected.allSatisfy { key, value in given[key].map { matches($0, value) } ?? false }
        case (.array(let given), .array(let expected)):
            given.count == expected.count && zip(given, expected).allSatisfy { matches($0, $1) }
        default: given == expected
        }
    }
}
