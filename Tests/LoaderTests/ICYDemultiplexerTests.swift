import Support
import Testing

@testable import Loader

@Suite struct ICYDemultiplexerTests {
    /// What came out, with the offset in the sound at which each block stood.
    private struct Output: Equatable {
        var sound: [UInt8] = []
        var blocks: [[UInt8]] = []
        var places: [Int] = []
    }

    private func split(_ stream: [UInt8], interval: Int, pieces: () -> Int) throws -> Output {
        var demultiplexer = try #require(ICYDemultiplexer(interval: interval))
        var output = Output()
        var start = 0
        while start < stream.count {
            let end = min(stream.count, start + max(1, pieces()))
            unsafe Array(stream[start..<end]).withUnsafeBytes { bytes in
                unsafe demultiplexer.feed(
                    bytes, sound: { unsafe output.sound.append(contentsOf: $0) },
                    metadata: { block in
                        output.blocks.append(block)
                        output.places.append(output.sound.count)
                    })
            }
            start = end
        }
        return output
    }

    private func padded(_ block: [UInt8]) -> [UInt8] {
        block + [UInt8](repeating: 0, count: (16 - block.count % 16) % 16)
    }

    @Test(arguments: [1, 2, 3, 15, 16, 17, 64, 255, 4096, 8192, 16_000])
    func everyIntervalIsByteExactInEverySplit(interval: Int) throws {
        let sound = Scripts.bytes(interval < 16 ? 700 : 40_000, seed: UInt32(interval))
        let blocks = (0..<60).map { Scripts.bytes($0 % 7 == 0 ? 4080 : $0 * 3 % 50, seed: UInt32($0 + 1)) }
        let stream = Scripts.interleaved(sound, interval: interval, blocks: blocks)
        let kept = blocks.prefix(sound.count / interval).filter { !$0.isEmpty }
        var seed: UInt32 = 7
        let sizes: [() -> Int] = [
            { 1 }, { stream.count }, { 4096 },
            {
                seed = seed &* 1_664_525 &+ 1_013_904_223
                return Int(seed >> 20)
            },
        ]
        for size in sizes {
            let output = try split(stream, interval: interval, pieces: size)
            #expect(output.sound == sound)
            #expect(output.blocks == kept.map(padded))
            #expect(output.places.allSatisfy { $0 % interval == 0 })
        }
    }

    @Test(arguments: [nil, 0, -1])
    func withoutAnIntervalThereIsNone(interval: Int?) {
        #expect(ICYDemultiplexer(interval: interval) == nil)
    }
}
