import Base
import Control
import Player
import Support
import Testing
import Wire

/// Random commands, changes and subscriptions against mirrors that only do what the guide tells a client to do.
@Suite struct SubscriptionModelTests {
    /// What one subscription has been told.
    private struct Mirror {
        let keys: [String]
        let withOld: Bool
        var values: [String: JSONValue]
        var revision: Int64

        func covers(_ key: String) -> Bool {
            keys.contains { $0 == "*" || $0 == key || key.hasPrefix($0 + ".") }
        }

        mutating func take(_ params: JSONValue) {
            guard case .object(let changes)? = params["changes"], let newer = params["revision"]?.int else {
                Issue.record("no changes")
                return
            }
            #expect(newer > revision)
            revision = newer
            #expect(!changes.isEmpty)
            for (key, change) in changes {
                #expect(covers(key))
                if withOld { #expect(change["old"] == values[key]) } else { #expect(change["old"] == nil) }
                if change["removed"] == .bool(true) {
                    #expect(values.removeValue(forKey: key) != nil)
                } else {
                    #expect(change["new"] != values[key])
                    values[key] = change["new"]
                }
            }
        }
    }

    private final class Peer {
        let client: TestClient
        var mirrors: [Int64: Mirror] = [:]
        var lastID: Int64 = 0

        init(_ server: TestServer) throws { client = try server.client() }

        /// Sends a request and takes what comes until its reply.
        @discardableResult
        func call(_ method: String, _ params: JSONValue) throws -> JSONValue {
            lastID += 1
            let id = RequestID.integer(lastID)
            client.send(MessageWriter.line(MessageWriter.request(method, params: JSONText(params), id: id)))
            while true {
                let message = try client.message()
                if message["id"] == .integer(lastID) {
                    #expect(message["error"] == nil)
                    return message["result"] ?? .null
                }
                take(message)
            }
        }

        private func take(_ message: JSONValue) {
            guard let params = message["params"], let id = params["subscription"]?.int else {
                Issue.record("neither reply nor change")
                return
            }
            #expect(mirrors[id] != nil)
            mirrors[id]?.take(params)
        }

        func observe(_ keys: [String], withOld: Bool) throws {
            let params: JSONValue = .object(["keys": .array(keys.map { .string($0) }), "old": .bool(withOld)])
            let result = try call("observe", params)
            guard let id = result["subscription"]?.int, case .object(let values)? = result["values"],
                let revision = result["revision"]?.int
            else { return }
            mirrors[id] = Mirror(keys: keys, withOld: withOld, values: values.dictionary, revision: revision)
        }
    }

    private let names = [
        "player", "player.volume", "server", "server.a", "server.a.1", "queue", "outputs", "*",
    ]

    @Test(arguments: [1, 2, 3, 4])
    func mirrorsAreAlwaysWhatTheTableIs(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let server = try TestServer()
        let peers = try (0..<4).map { _ in try Peer(server) }
        for _ in 0..<150 {
            guard let peer = peers.randomElement(using: &random) else { continue }
            try step(peer, server, &random)
        }
        for peer in peers {
            try peer.call("ping", .object([:]))
            try compare(peer, server)
        }
    }

    private func step(_ peer: Peer, _ server: TestServer, _ random: inout SeededGenerator) throws {
        switch Int.random(in: 0..<8, using: &random) {
        case 0 where peer.mirrors.count < 10:
            let keys = (0..<Int.random(in: 1...3, using: &random)).compactMap { _ in
                names.randomElement(using: &random)
            }
            try peer.observe(keys, withOld: Bool.random(using: &random))
        case 1:
            if let id = peer.mirrors.keys.sorted().randomElement(using: &random) {
                try peer.call("unobserve", .array([.integer(id)]))
                peer.mirrors[id] = nil
            }
        case 2, 3:
            let volume = Int64.random(in: 0...5, using: &random)
            try peer.call("set", .object(["values": .object(["player.volume": .integer(volume)])]))
        case 4:
            try peer.call("ping", .object([:]))
            try compare(peer, server)
        default:
            let changes = (0..<3).map { _ in
                (Int.random(in: 0..<4, using: &random), Int.random(in: 0..<4, using: &random))
            }
            server.on { inside in
                for (key, value) in changes {
                    let name = ["server.a", "server.a.1", "server.ab", "outputs.x.open"][key]
                    if value == 0 { inside.table.remove(name) } else { inside.table.set(name, value) }
                }
            }
        }
    }

    private func compare(_ peer: Peer, _ server: TestServer) throws {
        let table = server.on { inside in
            Dictionary(
                uniqueKeysWithValues: inside.table.keys.map { ($0, inside.table.text(of: $0) ?? .null) })
        }
        for mirror in peer.mirrors.values {
            let expected = table.filter { mirror.covers($0.key) }
            #expect(Set(mirror.values.keys) == Set(expected.keys))
            for (key, text) in expected {
                #expect(try mirror.values[key] == JSONParser.parse(text.bytes), "\(key)")
            }
        }
    }
}
