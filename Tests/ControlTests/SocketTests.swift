import Base
import Control
import Foundation
import Glibc
import Testing
import Wire

@Suite struct SocketTests {
    private func mode(_ path: String) -> UInt32 {
        var status = stat()
        return unsafe lstat(path, &status) == 0 ? status.st_mode & 0o7777 : 0
    }

    @Test(arguments: [0, 0o777, 0o022] as [mode_t])
    func theSocketIsItsOwnersWhateverTheUmask(_ mask: mode_t) throws {
        let server = try TestServer(umask: mask)
        #expect(mode(server.path) == 0o600)
        #expect(mode(server.folder + "/control.lock") == 0o600)
        let after = server.on { _ in umask(mask) }
        #expect(after == mask)
    }

    @Test func aGroupGetsTheSocketTooAndNobodyElse() throws {
        let server = try TestServer { $0.groupID = getgid() }
        #expect(mode(server.path) == 0o660)
        #expect(try server.client().call(#"{"id":1,"method":"ping"}"#)["error"] == nil)
    }

    @Test func aSecondDaemonIsToldAndTheFirstKeepsItsSocket() throws {
        let server = try TestServer()
        let location = SocketLocation(path: server.path, folder: .given)
        #expect(
            performing: { try TestServer { $0.location = location } },
            throws: { "\($0)".contains("already listens") })
        #expect(try server.client().call(#"{"id":1,"method":"ping"}"#)["error"] == nil)
    }

    @Test func aSocketThatADeadDaemonLeftIsReplaced() throws {
        let server = try TestServer()
        let stale = server.folder + "/stale.sock"
        do {
            let dead = try UnixAddress.makeSocket(nonBlocking: true)
            try UnixAddress(stale).bind(dead.raw)
            listen(dead.raw, 1)
        }
        let second = try TestServer { $0.location = SocketLocation(path: stale, folder: .given) }
        #expect(try TestClient(stale).call(#"{"id":1,"method":"ping"}"#)["error"] == nil)
        second.stop()
    }

    @Test func aBusyOwnerWithoutALockIsNotRobbed() throws {
        let server = try TestServer()
        let path = server.folder + "/busy.sock"
        let owner = try UnixAddress.makeSocket(nonBlocking: true)
        try UnixAddress(path).bind(owner.raw)
        listen(owner.raw, 0)
        // The backlog is full: the owner answers nobody, and still it is the owner.
        let waiting = try UnixAddress.makeSocket(nonBlocking: true)
        try UnixAddress(path).connect(waiting.raw)
        for _ in 0..<2 {
            #expect(
                performing: { try TestServer { $0.location = SocketLocation(path: path, folder: .given) } },
                throws: { "\($0)".contains("already listens") })
        }
        unsafe #expect(access(path, F_OK) == 0)
    }

    @Test func aFileThatIsNoSocketIsLeftAlone() throws {
        let server = try TestServer()
        let path = server.folder + "/notes.sock"
        #expect(FileManager.default.createFile(atPath: path, contents: Data("mine".utf8)))
        #expect(
            performing: { try TestServer { $0.location = SocketLocation(path: path, folder: .given) } },
            throws: { "\($0)".contains("no socket") })
        #expect(FileManager.default.contents(atPath: path) == Data("mine".utf8))
    }

    @Test func theSocketGoesAtTheEndButNotAnothers() throws {
        let server = try TestServer()
        server.stop()
        unsafe #expect(access(server.path, F_OK) != 0)

        let other = try TestServer()
        unsafe unlink(other.path)
        #expect(FileManager.default.createFile(atPath: other.path, contents: nil))
        other.stop()
        unsafe #expect(access(other.path, F_OK) == 0)
    }

    @Test func aPathTooLongIsAnErrorThatSaysSo() {
        let path = "/tmp/" + String(repeating: "x", count: 120)
        #expect(
            performing: { try TestServer { $0.location = SocketLocation(path: path, folder: .given) } },
            throws: { "\($0)".contains("too long") })
    }

    @Test func theClientConnectionOfOurOwnProgramsWorks() throws {
        let server = try TestServer()
        let missing = SocketLocation(path: server.folder + "/none.sock", folder: .given)
        let connection = try ClientConnection([missing, SocketLocation(path: server.path, folder: .given)])
        #expect(connection.path == server.path)
        _ = try connection.call("observe", JSONText(raw: #"{"keys":["player.volume"]}"#))
        _ = try connection.call("set", JSONText(raw: #"{"values":{"player.volume":5}}"#))
        guard case .notification("changed", let params)? = try connection.nextMessage() else {
            Issue.record("no change")
            return
        }
        #expect(params.value("changes", "player.volume", "new") == .integer(5))
        #expect(
            throws: ClientError.refused(
                RPCError(code: -32601, name: "method_not_found", message: "There is no method \"no.such\"."))
        ) {
            try connection.call("no.such")
        }
        #expect(try connection.nextMessage(deadline: .now + .milliseconds(1)) == nil)
        server.stop()
        #expect(throws: ClientError.closed) { try connection.nextMessage() }
        #expect(throws: ClientError.self) { try ClientConnection([missing]) }
    }
}
