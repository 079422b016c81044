import Base
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

    let folder: String
    private let mailbox: Mailbox<@Sendable (Inside) -> Void>

    var path: String { folder + "/control.sock" }

    /// Starts; `configure` changes the options.
    init(_ configure: @Sendable @escaping (inout ControlOptions) -> Void = { _ in }) throws {
        folder = "/tmp/jb-test-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let mailbox = try Mailbox<@Sendable (Inside) -> Void>()
        self.mailbox = mailbox
        let location = SocketLocation(path: folder + "/control.sock", folder: .given)
        let started = Answer<String?>()
        try Thread.start(name: "test-control") {
            do {
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
