import Base
import Glibc
import Synchronization
import Testing

@Suite struct SampleRingTests {
    private let mono = AudioFormat(sampleRate: 1_000, channels: 1)

    /// The producer of a ring of 1024 frames, which readers are attached to.
    private func ring(readers: Int) -> RingProducer {
        var producer = RingProducer(SampleRing(format: mono, frames: 1024, producerWake: WakePoint()))
        for slot in 0..<readers { producer.attach(slot: slot) }
        return producer
    }

    /// Frames that carry their number, as far as there is room.
    @discardableResult
    private func produce(_ producer: inout RingProducer, _ wanted: Int) -> Int {
        var made = 0
        while made < wanted {
            let room = unsafe producer.contiguousRoom(ahead: .max)
            let frames = min(room.count, wanted - made)
            if frames == 0 { break }
            for index in 0..<frames { unsafe room[index] = Float(producer.produced + index) }
            producer.commit(frames: frames)
            made += frames
        }
        return made
    }

    /// Reads at most so many frames and returns them.
    private func read(_ reader: inout RingReader, _ frames: Int) -> [Float] {
        let part = unsafe reader.readable(atMost: frames)
        let values = unsafe Array(part)
        reader.wrote(frames: values.count)
        return values
    }

    @Test func framesComeOutInOrderAndSpaceIsFreeWhenHeard() {
        var producer = ring(readers: 1)
        var reader = RingReader(ring: producer.ring, slot: 0)
        #expect(produce(&producer, 2_000) == 1024)
        #expect(read(&reader, 100) == (0..<100).map(Float.init))
        #expect(produce(&producer, 1) == 0)
        reader.advanceHeard(to: 60)
        #expect(produce(&producer, 100) == 60)
    }

    @Test func rewindGivesAgainWhatWasNotHeard() {
        var producer = ring(readers: 1)
        var reader = RingReader(ring: producer.ring, slot: 0)
        produce(&producer, 500)
        _ = read(&reader, 300)
        reader.advanceHeard(to: 120)
        reader.advanceHeard(to: 80)
        reader.rewindToHeard()
        #expect(read(&reader, 3) == [120, 121, 122])
        reader.advanceHeard(to: 400)
        let heard = reader.heard
        #expect(heard == 123)
    }

    @Test func whatNoReaderHasTakenCanStillBeChanged() {
        var producer = ring(readers: 2)
        var reader = RingReader(ring: producer.ring, slot: 0)
        var other = RingReader(ring: producer.ring, slot: 1)
        produce(&producer, 900)
        _ = read(&reader, 300)
        _ = read(&other, 100)
        // A rewind takes nothing back of what was claimed.
        reader.rewindToHeard()
        var frames: [Int] = []
        unsafe producer.retouch { part, frame in
            for index in 0..<part.count { unsafe part[index] = -Float(frame + index) }
            frames += frame..<frame + part.count
            #expect(unsafe reader.readable(atMost: 900).count == 350)
        }
        #expect(frames == Array(350..<900))
        let expected = (0..<350).map(Float.init) + (350..<900).map { -Float($0) }
        #expect(read(&reader, 900) == expected)
        #expect(read(&other, 900) == Array(expected[100...]))
        unsafe producer.retouch { _, _ in Issue.record("nothing is left to be changed") }
    }

    @Test func flushSkipsFramesAndTheirMarks() {
        var producer = ring(readers: 1)
        var reader = RingReader(ring: producer.ring, slot: 0)
        produce(&producer, 300)
        _ = producer.mark(.metadata, id: 1, at: 200)
        producer.flush()
        _ = producer.mark(.position, id: 2, at: 300)
        let mustFlush = reader.mustFlush
        #expect(mustFlush)
        reader.jumpToFlush()
        produce(&producer, 10)
        #expect(read(&reader, 1) == [300])
        #expect(reader.nextHeardMark() == Mark(frame: 300, kind: .position, id: 2))
        #expect(reader.nextHeardMark() == nil)
    }

    @Test func withoutReadersThereIsNoRoom() {
        var producer = ring(readers: 0)
        #expect(produce(&producer, 10) == 0)
        let hasReaders = producer.hasReaders
        #expect(!hasReaders)
    }

    @Test func marksAreToldOnceWhicheverReaderTells() {
        var producer = ring(readers: 2)
        var first = RingReader(ring: producer.ring, slot: 0)
        var second = RingReader(ring: producer.ring, slot: 1)
        produce(&producer, 100)
        for id in 0..<3 { _ = producer.mark(.metadata, id: id, at: 10 * id) }
        first.wrote(frames: 100)
        second.wrote(frames: 100)
        first.advanceHeard(to: 5)
        #expect(first.nextHeardMark()?.id == 0)
        second.advanceHeard(to: 50)
        #expect(second.nextHeardMark(telling: false) == nil)
        // The first goes away; the second tells from here on what the first did not.
        first.detach()
        second.returnToUntoldMarks()
        #expect(second.nextHeardMark()?.id == 1)
        #expect(second.nextHeardMark()?.id == 2)
        #expect(second.nextHeardMark() == nil)
    }

    @Test func fullMarkTableRefuses() {
        var producer = ring(readers: 1)
        for id in 0..<SampleRing.markLimit {
            let added = producer.mark(.metadata, id: id, at: 0)
            #expect(added)
        }
        let added = producer.mark(.metadata, id: 64, at: 0)
        #expect(!added)
    }

    @Test func ejectedReaderNoticesEvenWhenAttachedAnew() {
        var producer = ring(readers: 1)
        var old = RingReader(ring: producer.ring, slot: 0)
        producer.ring.eject(slot: 0)
        producer.attach(slot: 0)
        let isAttached = old.isAttached
        #expect(!isAttached)
        old.detach()
        #expect(producer.ring.heard(slot: 0) == 0)
    }

    @Test func endIsTakenOnceAndAgainAfterReopening() {
        var producer = ring(readers: 1)
        #expect(!producer.ring.takeEndTelling())
        produce(&producer, 5)
        producer.end(successor: nil)
        #expect(producer.ring.takeEndTelling())
        #expect(!producer.ring.takeEndTelling())
        producer.reopen()
        produce(&producer, 5)
        producer.end(successor: nil)
        #expect(producer.ring.takeEndTelling())
    }

    @Test func hungryReaderIsWokenByFramesEndAndFlush() throws {
        var producer = ring(readers: 1)
        let wake = try EventDescriptor()
        let reader = RingReader(ring: producer.ring, slot: 0, wake: wake)
        func isWoken() -> Bool {
            var entry = pollfd(fd: wake.raw, events: Int16(POLLIN), revents: 0)
            defer { wake.clear() }
            return unsafe poll(&entry, 1, 0) == 1
        }
        produce(&producer, 5)
        #expect(!isWoken())
        reader.becomeHungry()
        produce(&producer, 5)
        #expect(isWoken())
        reader.becomeHungry()
        producer.end(successor: nil)
        #expect(isWoken())
        producer.flush()
        #expect(isWoken())
    }

    @Test func producerIsWokenWhenTheSlowestReaderHasHeard() {
        let wake = WakePoint()
        var producer = RingProducer(SampleRing(format: mono, frames: 1024, producerWake: wake))
        producer.attach(slot: 0)
        producer.attach(slot: 1)
        var first = RingReader(ring: producer.ring, slot: 0)
        var second = RingReader(ring: producer.ring, slot: 1)
        produce(&producer, 1024)
        producer.wakeWhenHeard(500)
        first.wrote(frames: 1024)
        second.wrote(frames: 1024)
        first.advanceHeard(to: 600)
        #expect(!wake.wait(until: .now))
        second.advanceHeard(to: 500)
        #expect(wake.wait(until: .now))
    }
}
