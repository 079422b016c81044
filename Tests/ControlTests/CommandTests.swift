import Base
import Testing
import Wire

@Suite struct CommandTests {
    @Test(arguments: [
        (#"{"id":1,"method":"ping"}"#, #"{"jsonrpc":"2.0","id":1,"result":{}}"#),
        (
            #"{"id":"a","method":"get","params":{"keys":["player.volume"]}}"#,
            #"{"jsonrpc":"2.0","id":"a","result":{"revision":1,"values":{"player.volume":100}}}"#
        ),
        (
            #"{"id":2,"method":"set","params":{"values":{"player.volume":40}}}"#,
            #"{"jsonrpc":"2.0","id":2,"result":{"revision":2}}"#
        ),
        (
            #"{"id":2,"method":"set","params":[{"player.volume":100}]}"#,
            #"{"jsonrpc":"2.0","id":2,"result":{"revision":1}}"#
        ),
        (
            #"{"id":3,"method":"adjust","params":{"key":"player.volume","by":-1000}}"#,
            #"{"jsonrpc":"2.0","id":3,"result":{"revision":2,"value":0}}"#
        ),
        (
            #"{"id":4,"method":"invert","params":["player.muted"]}"#,
            #"{"jsonrpc":"2.0","id":4,"result":{"revision":2,"value":true}}"#
        ),
        (
            #"{"id":5,"method":"unobserve","params":[7]}"#,
            #"{"jsonrpc":"2.0","id":5,"error":{"code":-32002,"message":"This connection has no subscription 7.","data":{"code":"not_found"}}}"#
        ),
        (
            #"{"id":6,"method":"queue.list"}"#,
            #"{"jsonrpc":"2.0","id":6,"result":{"queueRevision":0,"total":0,"entries":[]}}"#
        ),
    ])
    func aRequestGetsExactlyThisReply(_ request: String, _ reply: String) throws {
        let server = try TestServer()
        let client = try server.client()
        client.send(request + "\n")
        #expect(client.line() == reply)
    }
}
