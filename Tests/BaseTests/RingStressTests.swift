import Base
import Glibc
import Synchronization
import Support
import Testing

/// What must hold whatever the threads' timing; meant for `swift test --sanitize=thread` too.
@Suite struct RingStressTests {
    /// Counts of one run, by all threads.
    private final class Tally: Sendable {
        let wrong = Atomic<Int>(0)
        let read = Atomic<Int>(0)
        let rejoins = Atomic<Int>(0)
        let wantsSlot = Guarded<Set<Int>>([])
        let running = Atomic<Int>(0)
        let stop = Atomic<Bool>(false)
    }

    /// Reads, checks each frame's number, rewinds, hears and leaves at random.
    private static func readLoop(
        _ ring: SampleRing, slot: Int, seed: UInt64, _ tally: Tally, _ producer: WakePoint
    ) {
        var random = SeededGenerator(seed: seed)
        while !tally.stop.load(ordering: .relaxed) {
            var reader = RingReader(ring: ring, slot: slot)
            guard reader.isAttached else { continue }
            for _ in 0..<Int.random(in: 20...200, using: &random) {
                if reader.mustFlush { reader.jumpToFlush() }
                let part = unsafe reader.readable(atMost: Int.random(in: 1...300, using: &random))
                for index in 0..<part.count
                where unsafe part[index] != Float((reader.written + index) & 0xFFFF) {
                    tally.wrong.add(1, ordering: .relaxed)
                }
                tally.read.add(part.count, ordering: .relaxed)
                reader.wrote(frames: part.count)
                reader.advanceHeard(to: reader.written - Int.random(in: 0...64, using: &random))
                if Int.random(in: 0..<8, using: &random) == 0 { reader.rewindToHeard() }
            }
            reader.detach()
            tally.rejoins.add(1, ordering: .relaxed)
            tally.wantsSlot.withLock { _ = $0.insert(slot) }
            producer.signal()
            while ring.heard(slot: slot) == nil, !tally.stop.load(ordering: .relaxed) { Glibc.sched_yield() }
        }
        tally.running.subtract(1, ordering: .releasing)
    }

    /// Writes wrong frames, and then the right ones again: nobody may see the first.
    private static func retouch(_ producer: borrowing RingProducer) {
        unsafe producer.retouch { part, frame in
            for index in 0..<part.count { unsafe part[index] = -1 }
            for index in 0..<part.count { unsafe part[index] = Float((frame + index) & 0xFFFF) }
        }
    }

    @Test func readersJoinRewindAndLeaveWithoutReadingAWrongFrame() throws {
        let wake = WakePoint()
        var producer = RingProducer(
            SampleRing(format: AudioFormat(sampleRate: 44_100, channels: 1), frames: 4096, producerWake: wake)
        )
        let ring = producer.ring
        let tally = Tally()
        for slot in 0..<3 { producer.attach(slot: slot) }
        for slot in 0..<3 {
            tally.running.add(1, ordering: .relaxed)
            try Thread.start(name: "reader") {
                Self.readLoop(ring, slot: slot, seed: UInt64(slot + 1), tally, wake)
            }
        }
        var random = SeededGenerator(seed: 99)
        // `make soak` goes on for longer.
        let rejoins = unsafe Glibc.getenv("SOAK") == nil ? 60 : 20_000
        while tally.rejoins.load(ordering: .relaxed) < rejoins {
            for slot in tally.wantsSlot.withLock({ slots in
                defer { slots = [] }
                return slots
            }) { producer.attach(slot: slot) }
            let room = unsafe producer.contiguousRoom(ahead: .max)
            let frames = min(room.count, Int.random(in: 1...500, using: &random))
            for index in 0..<frames { unsafe room[index] = Float((producer.produced + index) & 0xFFFF) }
            if frames > 0 { producer.commit(frames: frames) }
            if Int.random(in: 0..<200, using: &random) == 0 { producer.flush() }
            if Int.random(in: 0..<20, using: &random) == 0 { Self.retouch(producer) }
            if frames == 0 {
                producer.wakeWhenHeard(producer.produced - 3000)
                if producer.room(ahead: .max) == 0 { wake.wait(until: .now + .milliseconds(20)) }
            }
        }
        tally.stop.store(true, ordering: .relaxed)
        while tally.running.load(ordering: .acquiring) > 0 { Glibc.sched_yield() }
        #expect(tally.wrong.load(ordering: .relaxed) == 0)
        #expect(tally.read.load(ordering: .relaxed) > 0)
    }

    @Test func mailboxDeliversEveryMessageOfEachThreadInOrder() throws {
        let mailbox = try Mailbox<(Int, Int)>()
        let senders = 3
        let each = 2_000
        for sender in 0..<senders {
            try Thread.start(name: "sender") {
                for number in 0..<each { mailbox.post((sender, number)) }
            }
        }
        var next = Array(repeating: 0, count: senders)
        let deadline = MonotonicTime.now + .seconds(30)
        while next.reduce(0, +) < senders * each, MonotonicTime.now < deadline {
            var entry = pollfd(fd: mailbox.descriptor, events: Int16(POLLIN), revents: 0)
            _ = unsafe poll(&entry, 1, 1000)
            for (sender, number) in mailbox.takeAll() {
                #expect(number == next[sender])
                next[sender] = number + 1
            }
        }
        #expect(next == Array(repeating: each, count: senders))
    }

    @Test func wakePointLosesNoSignal() throws {
        let ping = WakePoint()
        let pong = WakePoint()
        try Thread.start(name: "pong") {
            for _ in 0..<2_000 {
                ping.wait()
                pong.signal()
            }
        }
        var answered = 0
        for _ in 0..<2_000 {
            ping.signal()
            if pong.wait(until: .now + .seconds(10)) { answered += 1 }
        }
        #expect(answered == 2_000)
    }

    @Test func wakePointWaitEndsAtItsDeadline() {
        let point = WakePoint()
        let start = MonotonicTime.now
        #expect(!point.wait(until: start + .milliseconds(5)))
        #expect(MonotonicTime.now - start >= .milliseconds(5))
        point.signal()
        #expect(point.wait(until: start))
    }
}
