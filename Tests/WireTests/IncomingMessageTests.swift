import Base
import Testing
import Wire

/// The examples are those of the JSON-RPC 2.0 specification, section 7, as far as one line shows them.
@Suite struct IncomingMessageTests {
    private func read(_ text: String) -> IncomingMessage { IncomingMessage(line: Array(text.utf8)) }

    /// What would be answered to the line if every method gave `"ok"`.
    private func codes(_ text: String) -> [String] {
        let calls: [IncomingCall]
        switch read(text) {
        case .single(let call): calls = [call]
        case .batch(let members): calls = members
        }
        return calls.compactMap { call in
            switch call {
            case .invalid(let id, let error): "\(JSONText(id).string) \(error.code)"
            case .request(let request): request.id.map { "\(JSONText($0).string) \(request.method)" }
            }
        }
    }

    @Test(arguments: [
        (#"{"jsonrpc": "2.0", "method": "subtract", "params": [42, 23], "id": 1}"#, ["1 subtract"]),
        (#"{"jsonrpc": "2.0", "method": "subtract", "params": {"minuend": 42}, "id": 3}"#, ["3 subtract"]),
        (#"{"jsonrpc": "2.0", "method": "update", "params": [1,2,3,4,5]}"#, []),
        (#"{"jsonrpc": "2.0", "method": "foobar"}"#, []),
        (#"{"jsonrpc": "2.0", "method": "foobar, "params": "bar", "baz]"#, ["null -32700"]),
        (#"{"jsonrpc": "2.0", "method": 1, "params": "bar"}"#, ["null -32600"]),
        (
            #"[{"jsonrpc": "2.0", "method": "sum", "params": [1,2,4], "id": "1"},{"jsonrpc": "2.0", "method"]"#,
            ["null -32700"]
        ),
        ("[]", ["null -32600"]),
        ("[1]", ["null -32600"]),
        ("[1,2,3]", ["null -32600", "null -32600", "null -32600"]),
        (
            #"[{"jsonrpc":"2.0","method":"sum","params":[1,2,4],"id":"1"},{"jsonrpc":"2.0","method":"notify_hello","params":[7]},{"jsonrpc":"2.0","method":"subtract","params":[42,23],"id":"2"},{"foo":"boo"},{"jsonrpc":"2.0","method":"foo.get","params":{"name":"myself"},"id":"5"},{"jsonrpc":"2.0","method":"get_data","id":"9"}]"#,
            [#""1" sum"#, #""2" subtract"#, "null -32600", #""5" foo.get"#, #""9" get_data"#]
        ),
        (
            #"[{"jsonrpc": "2.0", "method": "notify_sum", "params": [1,2,4]},{"jsonrpc": "2.0", "method": "notify_hello", "params": [7]}]"#,
            []
        ),
    ])
    func theSpecificationsExamplesAreReadAsItSays(_ line: String, _ expected: [String]) {
        #expect(codes(line) == expected)
    }

    @Test(arguments: [
        ("0", "0 ping"), ("\"\"", "\"\" ping"), ("\"abc\"", "\"abc\" ping"), ("null", "null ping"),
        ("-7", "-7 ping"), ("9223372036854775807", "9223372036854775807 ping"), ("1.5", "null -32600"),
        ("9223372036854775808", "null -32600"), ("true", "null -32600"), ("[1]", "null -32600"),
        ("{}", "null -32600"), ("1.0", "null -32600"), (#""\u0000\ud83d\ude00""#, #""\u0000😀" ping"#),
    ])
    func anIDComesBackAsItWasOrIsRefused(_ id: String, _ expected: String) {
        #expect(codes(#"{"id":\#(id),"method":"ping"}"#) == [expected])
    }

    @Test(arguments: ["\"1.0\"", "2.0", "2", "null", "\"2\""])
    func anyOtherVersionIsInvalid(_ version: String) {
        #expect(codes(#"{"jsonrpc":\#(version),"id":1,"method":"ping"}"#) == ["1 -32600"])
    }

    @Test func theVersionMayBeLeftOut() { #expect(codes(#"{"id":1,"method":"ping"}"#) == ["1 ping"]) }

    @Test(arguments: ["1", "\"x\"", "true"])
    func paramsOfAnotherKindAreInvalid(_ params: String) {
        #expect(codes(#"{"id":1,"method":"ping","params":\#(params)}"#) == ["1 -32600"])
    }

    @Test(arguments: ["{}", "null", "7", "\"x\"", #"{"id":1}"#, #"{"id":1,"result":3}"#])
    func whatIsNoCallIsAnsweredByOneError(_ line: String) {
        #expect(codes(line).count == 1)
        #expect(codes(line)[0].hasSuffix("-32600"))
    }

    @Test func aBatchOfAThousandIsTakenAndOneMoreIsNot() {
        func batch(_ count: Int) -> String {
            "[" + Array(repeating: #"{"id":1,"method":"ping"}"#, count: count).joined(separator: ",") + "]"
        }
        #expect(codes(batch(1000)).count == 1000)
        guard case .single(.invalid(.null, let error)) = read(batch(1001)) else {
            Issue.record("one answer expected")
            return
        }
        #expect(error.code == -32600 && error.name == "limit")
    }

    @Test(arguments: [String(repeating: "[", count: 40), "[" + String(repeating: "1,", count: 70_000) + "1]"])
    func tooMuchInALineIsAnInvalidRequestNamedLimit(_ line: String) {
        guard case .single(.invalid(.null, let error)) = read(line) else {
            Issue.record("one answer expected")
            return
        }
        #expect(error.code == -32600 && error.name == "limit")
    }

    @Test func errorsSayWhatWasWrongAndWhatIsAllowed() {
        guard case .single(.invalid(_, let error)) = read(#"{"id":1,"method":{"a":1}}"#) else { return }
        #expect(error.message == #"method is {"a":1}; it must be a string."#)
    }

    @Test func repliesAreWrittenAsTheSpecificationShows() {
        let good = MessageWriter.reply(.integer(1), result: JSONText(19))
        #expect(good.string == #"{"jsonrpc":"2.0","id":1,"result":19}"#)
        let bad = MessageWriter.reply(
            .null, error: RPCError(CommandFailure(.invalidState, "Nothing \"queued\".")))
        #expect(
            bad.string
                == #"{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"Nothing \"queued\".","data":{"code":"invalid_state"}}}"#
        )
    }
}
