import Base
import Control
import Player
import Testing
import Wire

@Suite struct SubscriptionTests {
    private func observe(_ client: TestClient, _ params: String) throws -> JSONValue {
        try client.call(#"{"id":1,"method":"observe","params":\#(params)}"#)
    }
    private func set(_ client: TestClient, _ volume: Int) {
        client.send(#"{"id":2,"method":"set","params":[{"player.volume":\#(volume)}]}"# + "\n")
    }

    @Test func aSubscriptionBeginsWithASnapshotAndItsRevision() throws {
        let server = try TestServer()
        let client = try server.client()
        let reply = try observe(client, #"{"keys":["queue","player.volume"]}"#)
        #expect(
            JSONText(reply["result"] ?? .null).string
                == #"{"revision":1,"subscription":1,"values":{"player.volume":100,"queue.index":null,"queue.length":0,"queue.revision":0}}"#
        )
        let without = try observe(client, #"{"keys":["queue"],"initial":false}"#)
        #expect(without.value("result", "values") == .object([:]))
    }

    @Test func theSenderHearsOfItsCommandBeforeTheReply() throws {
        let server = try TestServer()
        let client = try server.client()
        _ = try observe(client, #"{"keys":["player.volume"],"minInterval":3600}"#)
        for volume in [3, 4] {
            set(client, volume)
            #expect(
                client.line()
                    == #"{"jsonrpc":"2.0","method":"changed","params":{"subscription":1,"revision":\#(volume - 1),"changes":{"player.volume":{"new":\#(volume)}}}}"#
            )
            #expect(client.line() == #"{"jsonrpc":"2.0","id":2,"result":{"revision":\#(volume - 1)}}"#)
        }
    }

    @Test func inABatchAllChangesComeBeforeTheOneArray() throws {
        let server = try TestServer()
        let client = try server.client()
        _ = try observe(client, #"{"keys":["player.volume","player.muted"]}"#)
        client.send(
            #"[{"id":1,"method":"set","params":[{"player.volume":3}]},{"id":2,"method":"invert","params":["player.muted"]},{"id":3,"method":"set","params":[{"player.volume":5}]}]"#
                + "\n")
        let change = try client.message()
        #expect(change.value("params", "changes", "player.volume", "new") == .integer(5))
        #expect(change.value("params", "changes", "player.muted", "new") == .bool(true))
        #expect(change.value("params", "revision") == .integer(4))
        guard case .array(let replies) = try client.message() else {
            Issue.record("no array")
            return
        }
        #expect(
            replies.map { $0.value("result", "revision") ?? $0.value("result", "revision") } == [
                .integer(2), .integer(3), .integer(4),
            ])
    }

    @Test func aSubscriptionOfABatchIsNamedBeforeItsFirstChange() throws {
        let server = try TestServer()
        let client = try server.client()
        client.send(
            #"[{"id":1,"method":"observe","params":[["player.volume"]]},{"id":2,"method":"set","params":[{"player.volume":3}]}]"#
                + "\n")
        guard case .array = try client.message() else {
            Issue.record("no array")
            return
        }
        #expect(try client.message().value("params", "changes", "player.volume", "new") == .integer(3))
    }

    @Test func everybodyElseHearsOfATurnInOneMessage() throws {
        let server = try TestServer()
        let client = try server.client()
        _ = try observe(client, #"[["player","server"]]"#)
        server.on { inside in
            inside.player.setVolume(1)
            inside.player.setVolume(2)
            inside.player.setMuted(true)
            inside.table.set("server.test", 7)
        }
        let changes = try client.message().value("params", "changes")
        let expected = #"{"player.muted":{"new":true},"player.volume":{"new":2},"server.test":{"new":7}}"#
        #expect(JSONText(changes ?? .null).string == expected)
    }

    @Test func aValueThatCameBackWithinATurnIsNoChange() throws {
        let server = try TestServer()
        let client = try server.client()
        _ = try observe(client, #"[["player"]]"#)
        server.on { inside in
            inside.player.setVolume(1)
            inside.player.setVolume(100)
        }
        #expect(try client.call(#"{"id":9,"method":"ping"}"#)["id"] == .integer(9))
    }

    @Test func setOfWhatIsSetChangesNothing() throws {
        let server = try TestServer()
        let client = try server.client()
        _ = try observe(client, #"[["*"]]"#)
        set(client, 100)
        #expect(client.line() == #"{"jsonrpc":"2.0","id":2,"result":{"revision":1}}"#)
    }

    @Test func oldValuesComeWhereTheyWereAskedFor() throws {
        let server = try TestServer()
        let client = try server.client()
        _ = try observe(client, #"{"keys":["server"],"old":true}"#)
        server.on { $0.table.set("server.test", 1) }
        #expect(try changes(client) == #"{"server.test":{"new":1}}"#)
        server.on { $0.table.set("server.test", 2) }
        #expect(try changes(client) == #"{"server.test":{"new":2,"old":1}}"#)
        server.on { $0.table.remove("server.test") }
        #expect(try changes(client) == #"{"server.test":{"old":2,"removed":true}}"#)
    }

    private func changes(_ client: TestClient) throws -> String {
        JSONText(try client.message().value("params", "changes") ?? .null).string
    }

    @Test(arguments: [
        ("player", ["player.x", "player.x.y"]), ("player.x", ["player.x", "player.x.y"]),
        ("player.x.y", ["player.x.y"]),
        ("player.xx", []), ("*", ["player.x", "player.x.y", "playerx.z"]),
    ])
    func keysAndPrefixesMatchAtDots(_ name: String, _ matches: [String]) throws {
        let server = try TestServer()
        let client = try server.client()
        _ = try observe(client, #"{"keys":["\#(name)"],"initial":false}"#)
        server.on { inside in
            for key in ["player.x", "player.x.y", "playerx.z"] { inside.table.set(key, 1) }
        }
        client.send("{\"id\":2,\"method\":\"ping\"}\n")
        let message = try client.message()
        guard case .object(let changes)? = message.value("params", "changes") else {
            #expect(matches.isEmpty && message["id"] == .integer(2))
            return
        }
        #expect(changes.keys.sorted() == matches)
    }

    @Test(arguments: ["play", "", "nothing.at.all", ".player", "Player"])
    func anUnknownFirstSegmentIsNotFound(_ name: String) throws {
        let server = try TestServer()
        let client = try server.client()
        #expect(try observe(client, #"[["\#(name)"]]"#).errorName == "-32002 not_found")
        #expect(
            try client.call(#"{"id":1,"method":"get","params":[["player","\#(name)"]]}"#).errorName
                == "-32002 not_found")
    }

    @Test func whatLiesBelowAKnownSegmentMayAppearLater() throws {
        let server = try TestServer()
        let client = try server.client()
        #expect(try observe(client, #"[["outputs.kitchen"]]"#).value("result", "values") == .object([:]))
        server.on { $0.table.set("outputs.kitchen.open", true) }
        #expect(try changes(client) == #"{"outputs.kitchen.open":{"new":true}}"#)
    }

    @Test func afterUnobserveNothingComes() throws {
        let server = try TestServer()
        let client = try server.client()
        _ = try observe(client, #"[["player.volume"]]"#)
        #expect(try client.call(#"{"id":3,"method":"unobserve","params":[1]}"#)["result"] == .object([:]))
        set(client, 5)
        #expect(try client.message()["id"] == .integer(2))
    }

    @Test func anotherConnectionsSubscriptionIsNotFound() throws {
        let server = try TestServer()
        let first = try server.client()
        _ = try observe(first, #"[["player.volume"]]"#)
        let second = try server.client()
        #expect(
            try second.call(#"{"id":3,"method":"unobserve","params":[1]}"#).errorName == "-32002 not_found")
    }

    @Test func withAnIntervalChangesAreMergedUntilItHasPassed() throws {
        let server = try TestServer()
        let client = try server.client()
        _ = try observe(client, #"{"keys":["player.volume"],"minInterval":0.05,"old":true}"#)
        server.on { $0.player.setVolume(1) }
        #expect(try changes(client) == #"{"player.volume":{"new":1,"old":100}}"#)
        for volume in 2...9 { server.on { $0.player.setVolume(Double(volume)) } }
        var last = try client.message().value("params", "changes", "player.volume")
        #expect(last?["old"] == .integer(1))
        // On a machine that is busy the interval may pass in the middle.
        while last?["new"] != .integer(9) {
            let next = try client.message().value("params", "changes", "player.volume")
            #expect(next?["old"] == last?["new"])
            last = next
        }
    }

    @Test func aClientThatDoesNotReadCostsNoMemoryAndGetsTheLastState() throws {
        let server = try TestServer()
        let deaf = try server.client()
        _ = try observe(deaf, #"{"keys":["player","server"],"old":true}"#)
        let other = try server.client()
        _ = try observe(other, #"[["player.volume"]]"#)
        for round in 0..<200 {
            server.on { inside in
                for key in 0..<100 { inside.table.set("server.k\(key)", round) }
                inside.player.setVolume(Double(round % 100))
            }
            #expect(
                try other.message().value("params", "changes", "player.volume", "new")
                    == .integer(Int64(round % 100)))
        }
        var values: [String: JSONValue] = [:]
        var messages = 0
        while values["server.k99"] != .integer(199) || values["player.volume"] != .integer(99) {
            guard case .object(let changes)? = try deaf.message().value("params", "changes") else { continue }
            messages += 1
            for (key, change) in changes {
                if let old = change["old"], let known = values[key] { #expect(old == known) }
                values[key] = change["new"]
            }
        }
        #expect(messages < 200)
        for key in 0..<100 { #expect(values["server.k\(key)"] == .integer(199)) }
    }
}
