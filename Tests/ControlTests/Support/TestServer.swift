import Base
import CLinux
import Control
import Foundation
import Glibc
import Player
import Synchronization
import Testing
import Wire

/// A control server on a loop's thread of its own, in a fresh folder; `on` runs things there.
final class TestServer: Sendable {
    /// What lives on the loop's thread.
    final class Inside {
        let loop: EventLoop
        let table = PropertyTable()
        let player: Player
        let server: ControlServer
        let engine = SilentEngine()
        var reloads = 0
        var shutdowns = 0

        init(_ options: ControlOptions) throws {
            loop = try EventLoop()
            player = Player(engine: engine, timing: loop, table: table)
            let box = Box()
            server = try ControlServer(
                loop: loop, table: table, player: player, options: options,
                hooks: ControlHooks(
                    reload: { box.inside?.reloads += 1 }, shutdown: { box.inside?.shutdowns += 1 }))
            box.inside = self
        }
    }

    final class Box {
        weak var inside: Inside?
    }

    /// CLONE_FS of unshare(2).
    private static let cloneFS: Int32 = 0x200

    let folder: String
    private let mailbox: Mailbox<@Sendable (Inside) -> Void>

    var path: String { folder + "/control.sock" }

    /// Starts with that umask; `configure` changes the options.
    init(
        umask mask: mode_t = 0o022, _ configure: @Sendable @escaping (inout ControlOptions) -> Void = { _ in }
    ) throws {
        folder = "/tmp/jb-test-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let mailbox = try Mailbox<@Sendable (Inside) -> Void>()
        self.mailbox = mailbox
        let location = SocketLocation(path: folder + "/control.sock", folder: .given)
        let started = Answer<String?>()
        try Thread.start(name: "test-control") {
            do {
                // The umask belongs to the process unless a thread leaves it: tests run side by side.
                unshare(TestServer.cloneFS)
                umask(mask)
                var options = ControlOptions(location: location)
                configure(&options)
                let inside = try Inside(options)
                try mailbox.deliver(on: inside.loop) { $0(inside) }
                try inside.server.start()
                started.give(nil)
                inside.loop.run()
            } catch {
                started.give("\(error)")
            }
        }
        if let failure = started.wait() { throw StartFailure(message: failure) }
    }

    struct StartFailure: Error { let message: String }

    deinit {
        mailbox.post { inside in
            inside.server.stop()
            inside.loop.stop()
        }
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Runs on the loop's thread and returns what came of it.
    @discardableResult
    func on<Value: Sendable>(_ body: @Sendable @escaping (Inside) -> Value) -> Value {
        let answer = Answer<Value>()
        mailbox.post { answer.give(body($0)) }
        return answer.wait()
    }

    /// Waits until something holds on the loop's thread; the deadline only ends a test that hangs.
    func wait(
        _ location: SourceLocation = #_sourceLocation, until condition: @Sendable @escaping (Inside) -> Bool
    ) {
        let end = MonotonicTime.now + .seconds(20)
        while !on(condition) {
            if MonotonicTime.now > end {
                Issue.record("waited in vain", sourceLocation: location)
                return
            }
        }
    }

    /// Stops listening and waits for it.
    func stop() { on { $0.server.stop() } }

    func client() throws -> TestClient { try TestClient(path) }
}

/// One value from another thread.
final class Answer<Value: Sendable>: Sendable {
    private let value = Mutex<Value?>(nil)
    private let wake = WakePoint()

    func give(_ value: Value) {
        self.value.withLock { $0 = value }
        wake.signal()
    }

    func wait() -> Value {
        while true {
            if let value = value.withLock({ $0 }) { return value }
            wake.wait()
        }
    }
}
