import Base
import Control
import Foundation
import Testing
import Wire

/// The OpenRPC document against what the server does; its schemas are checked by the end-to-end tests.
@Suite struct ContractTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../protocol").standardized

    private static func document() throws -> JSONValue {
        let data = try Data(contentsOf: folder.appendingPathComponent("openrpc.json"))
        return try JSONParser.parse(Array(data), limits: .reply)
    }

    @Test func theDocumentIsServedAsItLiesInTheRepository() throws {
        let server = try TestServer()
        let served = try server.client().call(#"{"id":1,"method":"rpc.discover"}"#)["result"]
        #expect(try served == ContractTests.document())
    }

    @Test func itListsExactlyTheMethodsThatThereAre() throws {
        let server = try TestServer()
        let names = server.on { $0.server.commands.names }
        let listed = try ContractTests.methods().map(\.name).filter { !ContractTests.isElsewhere($0) }
        #expect(Set(names) == Set(listed))
    }

    @Test func itListsEveryPropertyOfThePlayerAndWhetherItCanBeSet() throws {
        let server = try TestServer()
        guard case .object(let listed)? = try ContractTests.document()["x-properties"] else { return }
        let there = server.on { inside in
            Dictionary(uniqueKeysWithValues: inside.table.keys.map { ($0, inside.table.settable[$0] != nil) })
        }
        for (key, isSettable) in there { #expect(listed[key]?["settable"] == .bool(isSettable), "\(key)") }
        let elsewhere = [
            "outputs.", "cache.", "network.", "server.", "store.", "sources.", "locations.", "downloads.",
            "artwork.",
        ]
        for key in listed.keys where !elsewhere.contains(where: { key.hasPrefix($0) }) {
            #expect(there[key] != nil, "\(key)")
        }
    }

    @Test func everyPropertyCanBeNamed() throws {
        guard case .object(let listed)? = try ContractTests.document()["x-properties"] else { return }
        let segments = Set(listed.keys.map { String($0.prefix { $0 != "." }) })
        #expect(segments == ControlServer.segments)
    }

    /// True for methods that the daemon adds: the end-to-end tests see to them.
    private static func isElsewhere(_ method: String) -> Bool {
        [
            "cache.", "queue.save", "queue.load", "history.", "alarm.", "store.", "artwork.", "outputs.",
            "probe",
        ]
        .contains {
            method.hasPrefix($0)
        }
    }

    private struct Method {
        let name: String
        let examples: [JSONValue]
    }

    private static func methods() throws -> [Method] {
        guard case .array(let methods)? = try document()["methods"] else { return [] }
        return methods.map { method in
            var examples: [JSONValue] = []
            if case .array(let values)? = method["examples"] { examples = values }
            return Method(name: method["name"]?.string ?? "", examples: examples)
        }
    }

    @Test func everyExampleGetsAReplyOfItsForm() throws {
        for method in try ContractTests.methods() where !ContractTests.isElsewhere(method.name) {
            for example in method.examples { try replay(example, of: method.name) }
        }
    }

    private func replay(_ example: JSONValue, of method: String) throws {
        let server = try TestServer()
        let client = try server.client()
        if case .array(let before)? = example["x-before"] {
            for step in before {
                let name = try #require(step["method"]?.string)
                #expect(try call(client, name, step["params"] ?? .object([:]))["error"] == nil)
            }
        }
        var members: [String: JSONValue] = [:]
        if case .array(let parameters)? = example["params"] {
            for parameter in parameters { members[parameter["name"]?.string ?? ""] = parameter["value"] }
        }
        let reply = try call(client, method, .object(JSONMembers(members)))
        let expected = try #require(example.value("result", "value"))
        let given = try #require(reply["result"], "\(method): \(JSONText(reply).string)")
        #expect(shape(given) == shape(expected), "\(method): \(JSONText(given).string)")
    }

    private func call(_ client: TestClient, _ method: String, _ params: JSONValue) throws -> JSONValue {
        let request = MessageWriter.request(method, params: JSONText(params), id: .integer(1))
        client.send(MessageWriter.line(request))
        return try client.message()
    }

    /// A value without what differs from run to run: kinds instead of numbers, names of members kept.
    private func shape(_ value: JSONValue) -> JSONValue {
        switch value {
        case .object(let members): .object(members.mapValues { shape($0) })
        case .array(let values): .array(values.map { shape($0) })
        default: .string(value.kindName)
        }
    }
}
