import Base
import Control
import Glibc
import Testing
import Wire

@Suite struct LimitTests {
    @Test func aClientTooManyIsToldAndLetGo() throws {
        let server = try TestServer { $0.clients = 2 }
        let clients = try (0..<2).map { _ in try server.client() }
        for client in clients { _ = try client.call(#"{"id":1,"method":"ping"}"#) }
        let third = try server.client()
        #expect(try third.message().errorName == "-32004 limit")
        #expect(third.line() == nil)
        clients[0].close()
        server.wait { $0.server.clientCount <= 1 }
        #expect(try server.client().call(#"{"id":1,"method":"ping"}"#)["error"] == nil)
    }

    @Test func aSubscriptionTooManyIsRefusedUntilOneIsGivenUp() throws {
        let server = try TestServer { $0.subscriptionsPerClient = 2 }
        let client = try server.client()
        let observe = #"{"id":1,"method":"observe","params":[["player"]]}"#
        for _ in 0..<2 { #expect(try client.call(observe)["error"] == nil) }
        #expect(try client.call(observe).errorName == "-32004 limit")
        _ = try client.call(#"{"id":1,"method":"unobserve","params":[1]}"#)
        #expect(try client.call(observe).value("result", "subscription") == .integer(3))
    }

    @Test func whoReadsNoRepliesIsNotReadFromUntilItDoes() throws {
        let server = try TestServer { $0.unreadReplyBytes = 100_000 }
        let client = try server.client()
        let request = #"{"id":1,"method":"get","params":[["*"]]}"# + "\n"
        let count = 3000
        let done = Answer<Bool>()
        let fd = client.fd
        try Thread.start(name: "test-writer") {
            let bytes = Array(String(repeating: request, count: count).utf8)
            var start = 0
            while start < bytes.count {
                let sent = unsafe bytes.withUnsafeBytes {
                    unsafe send(fd, $0.baseAddress! + start, bytes.count - start, Int32(MSG_NOSIGNAL))
                }
                if sent <= 0 { break }
                start += sent
            }
            done.give(start == bytes.count)
        }
        // The others are served all the while.
        let other = try server.client()
        for _ in 0..<20 { _ = try other.call(#"{"id":2,"method":"ping"}"#) }
        for _ in 0..<count { #expect(try client.message()["result"] != nil) }
        #expect(done.wait())
    }

    @Test func whoMakesNoProgressThenIsLetGo() throws {
        let server = try TestServer {
            $0.unreadReplyBytes = 10_000
            $0.stallTimeout = .milliseconds(20)
        }
        let client = try server.client()
        let request = #"{"id":1,"method":"get","params":[["*"]]}"# + "\n"
        client.send(String(repeating: request, count: 500))
        server.wait { $0.server.clientCount <= 0 }
    }

    @Test func aBatchWhoseAnswerWouldBeHugeIsRefusedFromThereOn() throws {
        let server = try TestServer { $0.batchReplyBytes = 3000 }
        let client = try server.client()
        let member = #"{"id":1,"method":"get","params":[["*"]]}"#
        let batch = "[" + Array(repeating: member, count: 20).joined(separator: ",") + "]"
        guard case .array(let members) = try client.call(batch) else {
            Issue.record("no array")
            return
        }
        #expect(members.count == 20)
        #expect(members.first?["result"] != nil)
        #expect(members.last?.errorName == "-32004 limit")
    }
}
