import Support
import Testing

@testable import Loader

@Suite struct MemoryWindowTests {
    private func write(_ bytes: ArraySlice<UInt8>, to window: MemoryWindow, at offset: Int64, reader: Int64) {
        unsafe Array(bytes).withUnsafeBytes { unsafe window.write($0, at: offset, reader: reader) }
    }

    private func read(_ window: MemoryWindow, at offset: Int64, atMost count: Int) -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: count)
        let read = unsafe buffer.withUnsafeMutableBytes { unsafe window.read(at: offset, into: $0) }
        return Array(buffer[..<read])
    }

    @Test func whatIsHeldIsWhatWasWrittenAndNeverMoreThanTheLimit() {
        let all = Scripts.bytes(2_000_000)
        let window = MemoryWindow(limit: 100_000, retainedBytes: 20_000)
        var seed: UInt64 = 5
        let random = { (limit: Int) -> Int in
            seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(seed >> 33) % limit
        }
        var end = 0
        var reader = 0
        while end < all.count {
            let count = min(all.count - end, random(16_384) + 1)
            if window.room(at: Int64(end), reader: Int64(reader)) >= count {
                write(all[end..<(end + count)], to: window, at: Int64(end), reader: Int64(reader))
                end += count
            } else {
                let part = read(window, at: Int64(reader), atMost: random(30_000) + 1)
                #expect(part == Array(all[reader..<(reader + part.count)]))
                reader += part.count
            }
            let held = window.ranges[0]
            #expect(held.count <= 100_000)
            #expect(held.upperBound == Int64(end))
            #expect(held.lowerBound <= max(0, Int64(reader) - 20_000))
        }
    }

    @Test func bytesFromElsewhereReplaceTheWindow() {
        let window = MemoryWindow(limit: 64 << 10, retainedBytes: 0)
        write([1, 2, 3], to: window, at: 0, reader: 0)
        write([4, 5], to: window, at: 1 << 40, reader: 1 << 40)
        let far: Int64 = 1 << 40
        #expect(window.ranges == [far..<(far + 2)])
        #expect(read(window, at: 0, atMost: 9) == [])
        #expect(read(window, at: far + 1, atMost: 9) == [5])
        #expect(window.available(from: far) == 2)
        window.removeAll()
        #expect(window.ranges.isEmpty)
    }
}
