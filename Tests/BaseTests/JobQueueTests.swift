import Base
import Glibc
import Testing

@Suite struct JobQueueTests {
    @Test func aThreadThatCouldNotBeStartedIsTriedAgainWithTheNextJob() throws {
        let starts = Guarded(0)
        let queue = JobQueue(name: "jobs") { name, body throws(SystemError) in
            let isFirst = starts.withLock { count in
                count += 1
                return count == 1
            }
            if isFirst { throw SystemError(code: EAGAIN, operation: "pthread_create", context: name) }
            try Thread.start(name: name, body)
        }
        let ran = Guarded<[String]>([])
        let done = WakePoint()
        #expect(throws: SystemError.self) {
            try queue.run { ran.withLock { $0.append("refused") } }
        }
        for name in ["first", "second"] {
            try queue.run {
                ran.withLock { $0.append(name) }
                done.signal()
            }
        }
        let deadline = MonotonicTime.now + .seconds(20)
        while ran.withLock({ $0.count }) < 2, MonotonicTime.now < deadline { done.wait(until: deadline) }
        #expect(ran.withLock { $0 } == ["first", "second"])
        #expect(starts.withLock { $0 } == 2)
    }
}
