import Support
import Testing

@testable import Loader

@Suite struct IndexLogTests {
    private let version = CachedVersion(
        length: 123_456, validator: Validator(etag: "\"ü\"", isWeak: false, lastModified: "yesterday"),
        contentType: "audio/mpeg", givesRanges: true,
        freshness: Freshness(received: 1000, freshUntil: 2000.5, mustAsk: true, mustObey: true))

    private var records: [IndexLog.Record] {
        [
            .head(key: [1, 2, 3], url: [4, 5], shown: "http://h/a?token=***"), .version(CachedVersion()),
            .segment(Segment(start: 0, count: 10, checksum: 7)),
            .segment(Segment(start: 10, count: 20, checksum: .max)), .version(version), .dropped(start: 0),
        ]
    }

    private func log(_ count: Int) -> [UInt8] {
        IndexLog.magic + records.prefix(count).flatMap { IndexLog.encode($0) }
    }

    @Test func whatIsWrittenIsRead() throws {
        let contents = try #require(IndexLog.read(log(6)))
        #expect(contents.key == [1, 2, 3] && contents.url == [4, 5])
        #expect(contents.shown == "http://h/a?token=***")
        #expect(contents.version == version)
        #expect(contents.segments.all == [Segment(start: 10, count: 20, checksum: .max)])
        #expect(contents.goodBytes == log(6).count)
    }

    @Test func aLogThatIsCutAnywhereTellsWhatIsWholeBeforeIt() throws {
        let whole = log(6)
        let ends = (0...6).map { log($0).count }
        for length in 0...whole.count {
            let contents = IndexLog.read(Array(whole[..<length]))
            let records = ends.lastIndex { $0 <= length } ?? 0
            if records == 0 {
                #expect(contents == nil)
            } else {
                #expect(contents?.goodBytes == ends[records])
                #expect(contents?.segments == IndexLog.read(log(records))?.segments)
            }
        }
    }

    @Test func noByteCanBeWrongUnnoticed() throws {
        let whole = log(6)
        for index in whole.indices {
            for bit in [1, 0x80] as [UInt8] {
                var bytes = whole
                bytes[index] ^= bit
                let contents = IndexLog.read(bytes)
                #expect((contents?.goodBytes ?? 0) <= index, "byte \(index)")
            }
        }
    }

    @Test(arguments: 1...10 as ClosedRange<UInt64>) func noiseIsNoIndex(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let noise = (0..<500).map { _ in UInt8.random(in: 0...255, using: &generator) }
        #expect(IndexLog.read(noise) == nil)
        #expect(IndexLog.read(log(3) + noise)?.goodBytes == log(3).count)
        #expect(IndexLog.read(IndexLog.magic + noise) == nil)
    }
}
