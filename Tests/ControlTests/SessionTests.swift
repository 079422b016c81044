import Base
import Control
import Player
import Support
import Testing
import Wire

@Suite struct SessionTests {
    private func pong(_ id: Int) -> String { #"{"jsonrpc":"2.0","id":\#(id),"result":{}}"# }

    @Test func aRequestThatComesByteByByteIsAnswered() throws {
        let server = try TestServer()
        let client = try server.client()
        for byte in Array(#"{"id":1,"method":"ping"}"#.utf8) + [10] { client.send([byte]) }
        #expect(client.line() == pong(1))
    }

    @Test func twoHundredRequestsInOneWriteAreAnsweredInOrder() throws {
        let server = try TestServer()
        let client = try server.client()
        client.send((0..<200).map { #"{"id":\#($0),"method":"ping"}"# + "\n" }.joined())
        for id in 0..<200 { #expect(client.line() == pong(id)) }
    }

    @Test func aSlowWriterHoldsNobodyUp() throws {
        let server = try TestServer()
        let slow = try server.client()
        let quick = try server.client()
        slow.send(#"{"id":1,"met"#)
        #expect(try quick.call(#"{"id":2,"method":"ping"}"#)["id"] == .integer(2))
        slow.send("hod\":\"ping\"}\n")
        #expect(slow.line() == pong(1))
    }

    @Test func carriageReturnsAndBlankLinesAreNoMessages() throws {
        let server = try TestServer()
        let client = try server.client()
        client.send("\r\n\n  \n{\"id\":1,\"method\":\"ping\"}\r\n\n")
        #expect(client.line() == pong(1))
    }

    @Test func anEndlessLineIsOneErrorAndTheNextLineIsHeard() throws {
        let server = try TestServer()
        let client = try server.client()
        for _ in 0..<64 { client.send([UInt8](repeating: 65, count: 1 << 16)) }
        client.send("\n{\"id\":1,\"method\":\"ping\"}\n")
        #expect(try client.message().errorName == "-32600 limit")
        #expect(client.line() == pong(1))
    }

    @Test(arguments: [
        [UInt8]("{\"id\":1,\"method\":\"pi\u{0}ng\"}".utf8), [0x22, 0xFF, 0xFE, 0x22],
        [UInt8](#"{"id":1,"method":"ping","params":{"x":"\ud800"}}"#.utf8), [UInt8](#"{"id":1"#.utf8), [0],
    ])
    func badBytesAreOneErrorForTheirLine(_ line: [UInt8]) throws {
        let server = try TestServer()
        let client = try server.client()
        client.send(line + [10])
        #expect(try client.message().errorName == "-32700 parse_error")
        client.send("{\"id\":1,\"method\":\"ping\"}\n")
        #expect(client.line() == pong(1))
    }

    @Test(arguments: [
        ("0", "0"), ("\"\"", "\"\""), ("\"a\\u00e4\\n\"", "\"aä\\n\""), ("null", "null"),
        ("9223372036854775807", "9223372036854775807"), ("-5", "-5"),
    ])
    func anIDComesBackAsItWas(_ id: String, _ echoed: String) throws {
        let server = try TestServer()
        let client = try server.client()
        client.send(#"{"id":\#(id),"method":"ping"}"# + "\n")
        #expect(client.line() == #"{"jsonrpc":"2.0","id":\#(echoed),"result":{}}"#)
    }

    @Test(arguments: ["1.5", "true", "[]", "{}", "9223372036854775808"])
    func anIDOfAnotherKindIsOneError(_ id: String) throws {
        let server = try TestServer()
        let client = try server.client()
        let reply = try client.call(#"{"id":\#(id),"method":"ping"}"#)
        #expect(reply.errorName == "-32600 invalid_request")
        #expect(reply["id"] == .null)
        client.send("{\"id\":1,\"method\":\"ping\"}\n")
        #expect(client.line() == pong(1))
    }

    @Test func notificationsGetNoAnswerWhateverComesOfThem() throws {
        let server = try TestServer()
        let client = try server.client()
        client.send("{\"method\":\"ping\"}\n{\"method\":\"no.such\"}\n{\"method\":\"set\",\"params\":{}}\n")
        client.send("[{\"method\":\"ping\"},{\"method\":\"no.such\"}]\n{\"id\":1,\"method\":\"ping\"}\n")
        #expect(client.line() == pong(1))
    }

    @Test func aBatchIsAnsweredByOneArrayInOrder() throws {
        let server = try TestServer()
        let client = try server.client()
        client.send(
            #"[{"id":1,"method":"ping"},{"method":"ping"},7,{"id":2,"method":"no.such"},{"id":3,"method":"ping"}]"#
                + "\n")
        guard case .array(let members) = try client.message() else {
            Issue.record("no array")
            return
        }
        #expect(members.map { $0["id"] } == [.integer(1), .null, .integer(2), .integer(3)])
        #expect(members.map(\.errorName) == [nil, "-32600 invalid_request", "-32601 method_not_found", nil])
    }

    @Test(arguments: ["GET / HTTP/1.1", "POST /x HTTP/1.0\r", "OPTIONS * HTTP/1.1"])
    func aBrowserIsShownTheDoor(_ line: String) throws {
        let server = try TestServer()
        let client = try server.client()
        client.send(line + "\nHost: localhost\n\n")
        #expect(client.line() == nil)
    }

    @Test func aRequestForHTTPLaterIsJustNoJSON() throws {
        let server = try TestServer()
        let client = try server.client()
        _ = try client.call(#"{"id":1,"method":"ping"}"#)
        #expect(try client.call("GET / HTTP/1.1").errorName == "-32700 parse_error")
    }

    @Test func whoEndsItsInputGetsItsRepliesAndIsLetGo() throws {
        let server = try TestServer()
        let client = try server.client()
        client.send(
            "{\"id\":1,\"method\":\"ping\"}\n{\"id\":2,\"method\":\"ping\"}\n{\"id\":3,\"method\":\"ping\"}")
        client.endInput()
        #expect(client.line() == pong(1))
        #expect(client.line() == pong(2))
        #expect(client.line() == nil)
    }

    @Test func whoEndsItsInputButObservesGoesOnHearing() throws {
        let server = try TestServer()
        let client = try server.client()
        client.send("{\"id\":1,\"method\":\"observe\",\"params\":[[\"player.volume\"]]}\n")
        client.endInput()
        _ = try client.message()
        server.on { $0.player.setVolume(12) }
        #expect(try client.message().value("params", "changes", "player.volume", "new") == .integer(12))
    }

    @Test func whoHangsUpInMidReplyEndsAlone() throws {
        let server = try TestServer()
        for _ in 0..<20 {
            let client = try server.client()
            client.send(String(repeating: "{\"id\":1,\"method\":\"get\",\"params\":[[\"*\"]]}\n", count: 50))
            client.close()
        }
        let client = try server.client()
        client.send("{\"id\":1,\"method\":\"ping\"}\n")
        #expect(client.line() == pong(1))
        server.wait { $0.server.clientCount <= 1 }
    }

    @Test func aCommandOfWhoHangsUpAtOnceIsDone() throws {
        let server = try TestServer()
        let client = try server.client()
        client.send("{\"method\":\"set\",\"params\":[{\"player.volume\":7}]}\n")
        client.close()
        server.wait { $0.server.clientCount <= 0 }
        #expect(server.on { $0.table.text(of: "player.volume")?.string } == "7")
    }

    @Test func aLineThatWasTamperedWithGetsOneAnswerAtMost() throws {
        let server = try TestServer()
        let client = try server.client()
        let lines = [
            #"{"jsonrpc":"2.0","id":-1,"method":"set","params":{"values":{"player.volume":40}}}"#,
            #"[{"id":-1,"method":"observe","params":{"keys":["server"],"minInterval":1e3}},{"method":"ping"}]"#,
            #"{"id":"\u00e4","method":"queue.add","params":[["/a.mp3",{"url":"http://h/","title":null}]]}"#,
        ]
        var random = SeededGenerator(seed: 11)
        for round in 0..<300 {
            var line = Array((lines.randomElement(using: &random) ?? "").utf8)
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let place = Int.random(in: 0..<line.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: line[place] = UInt8.random(in: 11...255, using: &random)
                case 1: line.remove(at: place)
                default: line.insert(UInt8.random(in: 11...127, using: &random), at: place)
                }
            }
            client.send(line + Array("\n{\"id\":\(round),\"method\":\"ping\"}\n".utf8))
            var answers = 0
            while try client.message()["id"] != .integer(Int64(round)) { answers += 1 }
            #expect(answers <= 1)
        }
    }
}
