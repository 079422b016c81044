import Base
import Foundation
import Support
import Testing

@testable import Loader

@Suite struct CommandTests {
    private let bytes = Scripts.bytes(100_000)

    /// Programs in a folder, and a file that each run adds a line to.
    private final class Programs {
        let folder: TemporaryFolder
        var log: String { (try? String(contentsOfFile: folder.path + "/log", encoding: .utf8)) ?? "" }
        var runs: Int { log.split(separator: "\n").count }

        init() throws { folder = try TemporaryFolder() }

        func write(_ name: String, _ script: String) throws -> [String] {
            let text = "#!/bin/sh\necho run >> \(folder.path)/log\n\(script)\n"
            let path = try folder.write(Array(text.utf8), to: name)
            try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
            return [path]
        }
    }

    private func opened(
        _ url: String, headers: [(String, String)] = [], _ change: (inout OriginCredentials) -> Void
    ) throws -> Opened {
        guard case .remote(let remote) = try ResourceLocation(url) else { throw POSIXError(.EINVAL) }
        var credentials = OriginCredentials()
        change(&credentials)
        var store = CredentialStore()
        store.add(credentials, for: remote.origin)
        return Opened(url, headers: headers, credentials: store)
    }

    @Test func aTokenIsAskedForOnceAndSentAtOnce() throws {
        let programs = try Programs()
        let server = try ScriptedServer { [bytes] request in
            request.index == 0
                ? Scripts.part(of: bytes, request, limit: 40_000) : Scripts.part(of: bytes, request)
        }
        let command = try programs.write("token", "echo T-1; echo expires_in=3600")
        let opened = try opened(server.url("/a")) { $0.tokenCommand = command }
        #expect(difference(opened.reader.read(from: 0, atMost: .max), bytes) == nil)
        #expect(server.requests.map { $0.headers["authorization"] } == ["Bearer T-1", "Bearer T-1"])
        #expect(programs.runs == 1)
    }

    @Test func aTokenThatIsRefusedIsAskedForOnceMore() throws {
        let programs = try Programs()
        let command = try programs.write(
            "token", "wc -l < \(programs.folder.path)/log | sed 's/ //g; s/^/T-/'")
        let server = try ScriptedServer { [bytes] request in
            request.headers["authorization"] == "Bearer T-2"
                ? Scripts.part(of: bytes, request)
                : [.head("HTTP/1.1 401 Unauthorized", [("Content-Length", "0")])]
        }
        let opened = try opened(server.url("/a")) { $0.tokenCommand = command }
        #expect(difference(opened.reader.read(from: 0, atMost: .max), bytes) == nil)
        #expect(server.requests.map { $0.headers["authorization"] } == ["Bearer T-1", "Bearer T-2"])
        let refused = try ScriptedServer { _ in [.head("HTTP/1.1 401 x", [("Content-Length", "0")])] }
        let other = try self.opened(refused.url("/a")) { $0.tokenCommand = command }
        #expect(other.failure?.code == .unauthorized)
        #expect(refused.requests.count == 2)
    }

    @Test func aTokenThatIsRefusedInMidFileIsAskedForOnceMore() throws {
        let programs = try Programs()
        let command = try programs.write(
            "token", "wc -l < \(programs.folder.path)/log | sed 's/ //g; s/^/T-/'")
        // Each token is good for one answer, which breaks off.
        let server = try ScriptedServer { [bytes] request in
            let good = "Bearer T-\((request.index + 1) / 2 + 1)"
            return request.headers["authorization"] == good
                ? Scripts.part(of: bytes, request, limit: 40_000)
                : [.head("HTTP/1.1 401 Unauthorized", [("Content-Length", "0")])]
        }
        let opened = try opened(server.url("/a")) { $0.tokenCommand = command }
        #expect(difference(opened.reader.read(from: 0, atMost: .max), bytes) == nil)
        #expect(opened.reader.isEnd(at: 100_000))
        #expect(server.requests.map(\.rangeStart) == [0, 40_000, 40_000, 80_000, 80_000])
        #expect(programs.runs == 3)
        #expect(opened.failureNow == nil)
    }

    @Test func whatACommandGetsIsTenSecondsAndEightKibibytes() {
        #expect(CommandBoard.timeLimit == .seconds(10))
        #expect(CommandBoard.outputLimit == 8192)
    }

    @Test func aTokenThatHasExpiredIsAskedForAgain() throws {
        let board = CommandBoard()
        let question = CommandBoard.Question(command: ["/bin/true"])
        let lasting = try #require(CommandAnswer(Array("T\nexpires_in=100".utf8)))
        let old = try #require(CommandAnswer(Array("T\nexpires_in=2".utf8)))
        let endless = try #require(CommandAnswer(Array("T".utf8)))
        #expect(board.token(question) == nil)
        for (answer, isGood) in [(lasting, true), (old, false), (endless, true)] {
            board.keep(answer, for: question)
            #expect((board.token(question) != nil) == isGood)
        }
        board.forget("other", for: question)
        #expect(board.token(question) == "T")
        board.forget("T", for: question)
        #expect(board.token(question) == nil)
    }

    @Test(arguments: [
        ("exit 3", "ended with status 3"), ("kill -9 $$", "was ended by signal 9"),
        ("true", "printed nothing"),
        ("echo 'a b'", "printed nothing"), ("head -c 9000 /dev/zero | tr '\\\\0' x", "printed too much"),
    ])
    func aCommandThatFailsSaysHow(script: String, reason: String) throws {
        let programs = try Programs()
        let server = try ScriptedServer(Scripts.file(bytes))
        let command = try programs.write("token", script)
        let failure = try opened(server.url("/a")) { $0.tokenCommand = command }.failure
        #expect(failure?.code == .unauthorized)
        #expect(failure?.message.contains(reason) == true, "\(failure?.message ?? "")")
        #expect(server.requests.isEmpty)
    }

    @Test func aProgramThatHangsIsEndedWithAllThatItStarted() throws {
        let folder = try TemporaryFolder()
        let script = "sleep 600 & echo $! > \(folder.path)/pid; echo T; wait"
        #expect(throws: ChildProcess.Failure.tookTooLong) {
            try ChildProcess.output(
                of: ["/bin/sh", "-c", script], input: [], within: .seconds(2), atMost: 100)
        }
        let pid = try #require(
            Int32(String(contentsOfFile: folder.path + "/pid", encoding: .utf8).dropLast()))
        // Gone, or dead and not yet fetched by whoever inherited it; that it is killed shows a moment later.
        let deadline = MonotonicTime.now + .seconds(20)
        var isGone = false
        while !isGone, MonotonicTime.now < deadline {
            let status = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)
            isGone = status == nil || status?.contains(") Z ") == true
        }
        #expect(isGone)
    }

    @Test func aProgramHasAnEmptyHouseAndTheUsualSignals() throws {
        let script = "ls -l /proc/self/fd | grep -c socket; grep SigIgn /proc/self/status; pwd; env; cat"
        let output = try ChildProcess.output(
            of: ["/bin/sh", "-c", script], input: Array("given\n".utf8), within: .seconds(20), atMost: 8192)
        let lines = String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
        #expect(lines[0] == "0")
        // The two above the first 31 belong to the C library.
        #expect(UInt64(lines[1].suffix(16), radix: 16).map { $0 & 0x7fff_ffff } == 0)
        #expect(lines[2] == "/")
        #expect(lines.last == "given")
        let allowed = [
            "PATH", "HOME", "USER", "LANG", "CREDENTIALS_DIRECTORY", "PWD", "SHLVL", "_", "OLDPWD",
        ]
        for line in lines[3...].dropLast() {
            #expect(allowed.contains(String(line.prefix { $0 != "=" })), "\(line)")
        }
    }

    @Test func aResolverGetsTheURLOnItsInputAndItsLinkGetsNoCredentials() throws {
        let programs = try Programs()
        let cloud = try ScriptedServer(host: "127.0.0.2", Scripts.file(bytes))
        let given = programs.folder.path + "/given"
        let command = try programs.write("resolve", "cat > \(given); echo '\(cloud.url("/tmp-link?sig=1"))'")
        let opened = try opened("http://127.0.0.1:9/music/a.mp3?token=geheim", headers: [("X-Key", "k")]) {
            $0.resolverCommand = command
            $0.bearer = "B"
        }
        #expect(difference(opened.reader.read(from: 0, atMost: .max), bytes) == nil)
        #expect(
            try String(contentsOfFile: given, encoding: .utf8)
                == "http://127.0.0.1:9/music/a.mp3?token=geheim\n")
        #expect(cloud.requests.map(\.path) == ["/tmp-link"])
        #expect(cloud.requests[0].headers["authorization"] == nil)
        #expect(cloud.requests[0].headers["x-key"] == nil)
    }

    @Test func aResolvedLinkThatExpiresIsAskedForAgain() throws {
        let programs = try Programs()
        let cloud = try ScriptedServer { [bytes] request in
            if request.query == "n=1" {
                return request.index == 0
                    ? Scripts.part(of: bytes, request, limit: 40_000) : [.head("HTTP/1.1 403 Expired")]
            }
            return Scripts.part(of: bytes, request)
        }
        let command = try programs.write(
            "resolve", "echo \(cloud.url("/f"))?n=$(wc -l < \(programs.folder.path)/log | tr -d ' ')")
        let opened = try opened("http://127.0.0.1:9/a.mp3") { $0.resolverCommand = command }
        #expect(difference(opened.reader.read(from: 0, atMost: .max), bytes) == nil)
        #expect(cloud.requests.map(\.query) == ["n=1", "n=1", "n=2"])
        #expect(programs.runs == 2)
    }

    @Test func aResolverThatPrintsSomethingElseIsToldOf() throws {
        let programs = try Programs()
        let command = try programs.write("resolve", "echo file:///etc/passwd")
        #expect(try opened("http://127.0.0.1:9/a") { $0.resolverCommand = command }.failure?.code == .denied)
    }

    @Test(arguments: [
        ("T\n", "T", nil), ("  T \r\nexpires_in=60\r\n", "T", 60.0),
        ("T\nnonsense\nexpires_in=1.5 s", "T", 1.5),
        ("T\nexpires_in=-1", "T", nil), ("T\nexpires_in=x", "T", nil), ("T\nexpires_in=1e99", "T", 3.15e9),
    ])
    func outputIsReadByLines(text: String, value: String, seconds: Double?) {
        let answer = CommandAnswer(Array(text.utf8))
        #expect(answer?.value == value)
        #expect(answer?.lifetime?.inSeconds == seconds)
    }

    @Test(arguments: ["", "\n\n", "a b", "a\u{7f}", "  \n"])
    func outputWithoutAValueIsNone(text: String) { #expect(CommandAnswer(Array(text.utf8)) == nil) }
}
