import Base
import Foundation
import Testing
import Wire

@testable import Control

@Suite struct RestrictionTests {
    /// Each of the rows of the OpenRPC document: a method and its group.
    private static func rows() throws -> [(method: String, group: String)] {
        let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../protocol/openrpc.json").standardized
        let document = try JSONParser.parse(Array(try Data(contentsOf: path)), limits: .reply)
        return document.elements(of: "methods").map {
            ($0["name"]?.string ?? "", $0["x-group"]?.string ?? "")
        }
    }

    @Test func everyMethodHasTheGroupThatTheDocumentSays() throws {
        let rows = try Self.rows()
        #expect(rows.count > 50)
        for row in rows {
            #expect(MethodGroup.of(row.method)?.rawValue ?? "none" == row.group, "\(row.method)")
        }
        #expect(Set(rows.map(\.group)) == Set(MethodGroup.allCases.map(\.rawValue) + ["none"]))
        #expect(MethodGroup.of("brand.new") == .admin && MethodGroup.of("store.new") == .store)
    }

    @Test(arguments: [
        ("open", #"{"url":"http://s.test/x"}"#, "open"), ("open", #"["/etc/passwd"]"#, "files open"),
        ("open", #"{"url":"store:5"}"#, "open"), ("open", #"{"url":"FILE:///x"}"#, "files open"),
        ("queue.add", #"{"items":["store:1"]}"#, "queue"),
        ("queue.add", #"{"items":["store:1",{"url":"http://s.test/","title":"/x"}]}"#, "open queue"),
        ("queue.add", #"[[{"url":"/x"}]]"#, "files queue"),
        ("queue.add", #"{"items":["store:x"]}"#, "open queue"),
        ("queue.replaceCurrent", #"{"item":{"url":"/x"}}"#, "files queue"), ("queue.clear", "{}", "queue"),
        ("alarm.add", #"{"time":"07:00","item":"store:1","fallback":"/x.mp3"}"#, "control files"),
        ("announce", #"{"url":"http://s.test/"}"#, "control open"),
        ("store.addSource", #"{"url":"/srv"}"#, "files store"),
        ("store.addSource", #"{"url":"http://s.test/"}"#, "open store"),
        ("store.list", #"{"query":"/x"}"#, "store"),
        ("store.export", #"{"ids":[1],"folder":"/x"}"#, "files"),
        ("set", #"{"values":{"player.volume":1}}"#, "control"), ("set", #"[{"player.volume":1}]"#, "control"),
        ("set", #"{"values":{"player.volume":1,"cache.limit":0}}"#, "admin control"),
        ("set", #"[{"store.downloadRate":1}]"#, "admin control"),
        ("adjust", #"{"key":"cache.limit","by":1}"#, "admin control"),
        ("invert", #"["outputs.null.enabled"]"#, "control"),
        ("ping", "{}", ""), ("get", #"{"keys":["*"]}"#, "observe"),
    ])
    func aCallNeedsTheGroupsOfWhatItNames(method: String, params: String, groups: String) throws {
        let value = try JSONParser.parse(Array(params.utf8))
        let needed = MethodGroup.needed(method, value).map(\.rawValue).sorted().joined(separator: " ")
        #expect(needed == groups)
    }

    private func answer(_ client: TestClient, _ line: String) throws -> String {
        client.send(line + "\n")
        let reply = try client.message()
        return reply["error"]?["data"]?["code"]?.string ?? "done"
    }

    @Test func aConnectionIsNarrowedForGoodAndNoOtherWithIt() throws {
        let server = try TestServer()
        let (client, other) = (try server.client(), try server.client())
        #expect(
            try answer(client, #"{"id":1,"method":"restrict","params":[["observe","queue","control"]]}"#)
                == "done")
        #expect(try answer(client, #"{"id":2,"method":"queue.clear"}"#) == "done")
        #expect(
            try answer(client, #"{"id":3,"method":"queue.add","params":{"items":["http://s.test/"]}}"#)
                == "denied")
        #expect(try answer(client, #"{"id":4,"method":"shutdown"}"#) == "denied")
        #expect(try answer(client, #"{"id":5,"method":"nosuch"}"#) == "method_not_found")
        client.send(#"{"id":6,"method":"restrict","params":{"allow":["observe","admin"]}}"# + "\n")
        #expect(try client.message()["result"]?["allow"] == .array([.string("observe")]))
        #expect(try answer(client, #"{"id":7,"method":"queue.clear"}"#) == "denied")
        #expect(try answer(client, #"{"id":8,"method":"get","params":[["player"]]}"#) == "done")
        #expect(try answer(client, #"{"id":9,"method":"ping"}"#) == "done")
        #expect(try answer(client, #"{"id":10,"method":"restrict","params":[[]]}"#) == "done")
        #expect(try answer(client, #"{"id":11,"method":"get","params":[["player"]]}"#) == "denied")
        #expect(try answer(other, #"{"id":1,"method":"queue.clear"}"#) == "done")
        #expect(
            try answer(other, #"{"id":2,"method":"restrict","params":[["everything"]]}"#) == "invalid_params")
        #expect(try answer(other, #"{"id":3,"method":"restrict"}"#) == "invalid_params")
        #expect(try answer(other, #"{"id":4,"method":"queue.clear"}"#) == "done")
    }

    @Test func aBatchIsNarrowedFromTheMemberOn() throws {
        let server = try TestServer()
        let client = try server.client()
        let calls = [
            #"{"id":1,"method":"queue.clear"}"#, #"{"id":2,"method":"restrict","params":[["observe"]]}"#,
            #"{"id":3,"method":"queue.clear"}"#,
        ]
        client.send("[" + calls.joined(separator: ",") + "]\n")
        guard case .array(let replies) = try client.message() else {
            Issue.record("no array")
            return
        }
        #expect(replies.map { $0["error"]?["data"]?["code"]?.string } == [nil, nil, "denied"])
    }
}
