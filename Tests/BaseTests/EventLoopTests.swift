import Base
import Glibc
import Synchronization
import Testing

@Suite struct EventLoopTests {
    @Test func messagesOfAnyThreadArriveInOrderOnTheLoop() throws {
        let loop = try EventLoop()
        let mailbox = try Mailbox<Int>()
        var received: [Int] = []
        try mailbox.deliver(on: loop) { message in
            received.append(message)
            if message == 999 { loop.stop() }
        }
        try Thread.start(name: "test-sender") { for number in 0..<1000 { mailbox.post(number) } }
        loop.run()
        #expect(received == Array(0..<1000))
    }

    @Test func theEndOfATurnComesAfterAllItsHandlers() throws {
        let loop = try EventLoop()
        var order: [String] = []
        loop.schedule(after: .zero) { order.append("first") }
        loop.schedule(after: .zero) { order.append("second") }
        loop.atEndOfTurn {
            guard order.count == 2 else { return }
            order.append("end")
            loop.stop()
        }
        loop.run()
        #expect(order == ["first", "second", "end"])
    }

    @Test func aDescriptorThatWasClosedAndOpenedAgainGetsNoStaleEvent() throws {
        let loop = try EventLoop()
        var pipes: [Int32] = [0, 0]
        #expect(unsafe pipe(&pipes) == 0)
        defer { for fd in pipes { close(fd) } }
        let stale = try loop.add(pipes[0], .readable) { _ in Issue.record("a stale event") }
        loop.remove(stale)
        _ = try loop.add(pipes[0], .readable) { _ in loop.stop() }
        loop.remove(stale)
        unsafe write(pipes[1], "x", 1)
        loop.run()
    }
}
