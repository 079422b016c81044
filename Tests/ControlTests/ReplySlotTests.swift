import Base
import Control
import Player
import Synchronization
import Testing
import Wire

@Suite struct ReplySlotTests {
    /// A server whose method `slow` is answered when the test says so.
    private final class Slow: Sendable {
        let server: TestServer
        private let slots = Mutex<[ReplySlot]>([])

        init() throws {
            server = try TestServer()
            server.on { [self] inside in
                inside.server.commands.add("slow") { [self] call in
                    let slot = call.makeReplySlot()
                    slots.withLock { $0.append(slot) }
                    return .later(slot)
                }
            }
        }

        var count: Int { server.on { [self] _ in slots.withLock { $0.count } } }

        func waitFor(_ number: Int) {
            server.wait { [self] _ in slots.withLock { $0.count >= number } }
        }

        /// Takes the oldest slot that was not answered.
        func take() -> ReplySlot? { slots.withLock { $0.isEmpty ? nil : $0.removeFirst() } }
    }

    private func id(_ client: TestClient) throws -> Int64? { try client.message()["id"]?.int }

    @Test func repliesKeepTheOrderOfTheirRequestsThoughSomeComeLate() throws {
        let slow = try Slow()
        let client = try slow.server.client()
        client.send(
            "{\"id\":1,\"method\":\"slow\"}\n{\"id\":2,\"method\":\"ping\"}\n{\"id\":3,\"method\":\"slow\"}\n{\"id\":4,\"method\":\"ping\"}\n"
        )
        slow.waitFor(2)
        let first = slow.take()
        let second = slow.take()
        try Thread.start(name: "test-filler") {
            second?.fill(.success(JSONText(raw: "\"second\"")))
            first?.fill(.success(JSONText(raw: "\"first\"")))
        }
        let replies = try (0..<4).map { _ in try client.message() }
        #expect(replies.map { $0["id"]?.int } == [1, 2, 3, 4])
        #expect(replies[0]["result"] == .string("first"))
        #expect(replies[2]["result"] == .string("second"))
    }

    @Test func aSlotThatIsDroppedIsAnInternalError() throws {
        let slow = try Slow()
        let client = try slow.server.client()
        client.send("{\"id\":1,\"method\":\"slow\"}\n")
        slow.waitFor(1)
        _ = slow.take()
        #expect(try client.message().errorName == "-32603 internal_error")
    }

    @Test func aFailureOfTheOtherThreadIsTheReplysError() throws {
        let slow = try Slow()
        let client = try slow.server.client()
        client.send("{\"id\":1,\"method\":\"slow\"}\n")
        slow.waitFor(1)
        slow.take()?.fill(.failure(CommandFailure(.notFound, "Not there.")))
        #expect(try client.message().errorName == "-32002 not_found")
    }

    @Test func aBatchWaitsForItsSlowMembers() throws {
        let slow = try Slow()
        let client = try slow.server.client()
        client.send(
            "[{\"id\":1,\"method\":\"slow\"},{\"id\":2,\"method\":\"ping\"},{\"id\":3,\"method\":\"slow\"},{\"method\":\"slow\"}]\n{\"id\":4,\"method\":\"ping\"}\n"
        )
        slow.waitFor(3)
        while let slot = slow.take() { slot.fill(.success(JSONText(raw: "{}"))) }
        guard case .array(let members) = try client.message() else {
            Issue.record("no array")
            return
        }
        #expect(members.map { $0["id"]?.int } == [1, 2, 3])
        #expect(try id(client) == 4)
    }

    @Test func changesDoNotWaitForASlowReply() throws {
        let slow = try Slow()
        let client = try slow.server.client()
        _ = try client.call(#"{"id":1,"method":"observe","params":[["player.volume"]]}"#)
        client.send("{\"id\":2,\"method\":\"slow\"}\n")
        slow.waitFor(1)
        slow.server.on { $0.player.setVolume(33) }
        #expect(try client.message().value("params", "changes", "player.volume", "new") == .integer(33))
        slow.take()?.fill(.success(.null))
        #expect(try id(client) == 2)
    }

    @Test func noChangeComesBeforeTheReplyThatNamesItsSubscription() throws {
        let slow = try Slow()
        let client = try slow.server.client()
        client.send(
            "{\"id\":1,\"method\":\"slow\"}\n{\"id\":2,\"method\":\"observe\",\"params\":[[\"player.volume\"]]}\n"
        )
        slow.waitFor(1)
        slow.server.on { $0.player.setVolume(33) }
        slow.server.on { $0.player.setVolume(34) }
        slow.take()?.fill(.success(.null))
        #expect(try id(client) == 1)
        #expect(try id(client) == 2)
        #expect(try client.message().value("params", "changes", "player.volume", "new") == .integer(34))
    }

    @Test func whoHasTooManyRepliesOutstandingIsNotReadFromUntilOneIsDone() throws {
        let slow = try Slow()
        let client = try slow.server.client()
        client.send((0..<70).map { "{\"id\":\($0),\"method\":\"slow\"}\n" }.joined())
        slow.waitFor(64)
        #expect(try slow.server.client().call(#"{"id":1,"method":"ping"}"#)["error"] == nil)
        #expect(slow.count == 64)
        slow.take()?.fill(.success(.null))
        #expect(try id(client) == 0)
        slow.waitFor(64)
        for next in 1..<70 {
            slow.waitFor(1)
            slow.take()?.fill(.success(.null))
            #expect(try id(client) == Int64(next))
        }
    }

    @Test func aClientThatLeavesIsNotMissed() throws {
        let slow = try Slow()
        let client = try slow.server.client()
        client.send("{\"id\":1,\"method\":\"slow\"}\n")
        slow.waitFor(1)
        client.close()
        slow.take()?.fill(.success(.null))
        #expect(try slow.server.client().call(#"{"id":1,"method":"ping"}"#)["error"] == nil)
    }
}
