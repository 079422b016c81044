import Base
import Control
import Glibc
import Player

/// `queue.save`, `queue.load` and `queue.saved`: files are read and written on a thread of their own.
final class SavedQueueCommands {
    /// What the files' thread brings back.
    private enum Answer: Sendable {
        case loaded([KnownItem], withoutHeaders: Int, play: Bool)
        case failed(CommandFailure)
        case saved(withoutHeaders: Int)
    }

    private static let endings = [".m3u8", ".m3u", ".xspf", ".pls"]
    private static let mostBytes = 64 << 20

    private let folder: String
    private let keeper: StateKeeper
    private let files: JobQueue
    private unowned let player: Player
    private unowned let server: ControlServer
    private let mailbox: Mailbox<(ReplySlot, Answer)>

    /// Adds the commands; files lie in `playlists` in the state folder. Throws without descriptors.
    init(
        stateFolder: String, keeper: StateKeeper, files: JobQueue, player: Player, server: ControlServer,
        loop: EventLoop
    ) throws(SystemError) {
        folder = stateFolder + "/playlists"
        self.keeper = keeper
        self.files = files
        self.player = player
        self.server = server
        mailbox = try Mailbox()
        try mailbox.deliver(on: loop) { [unowned self] slot, answer in take(slot, answer) }
        server.commands.add("queue.save", positional: "name") {
            [unowned self] (call) throws(CommandFailure) in
            .later(try save(call))
        }
        server.commands.add("queue.load", positional: "name") {
            [unowned self] (call) throws(CommandFailure) in
            .later(try load(call))
        }
        server.commands.add("queue.saved") { [folder, files] (call) in
            let slot = call.makeReplySlot()
            _ = try? files.run { slot.fill(.success(SavedQueueCommands.names(in: folder))) }
            return .later(slot)
        }
    }

    // MARK: Commands

    private func save(_ call: CommandCall) throws(CommandFailure) -> ReplySlot {
        let name = try call.parameters.string("name")
        try SavedQueue.check(name)
        let queue = player.queue
        let entries = queue.ids.compactMap { queue[$0] }
        let slot = call.makeReplySlot()
        _ = try? files.run { [folder, mailbox] in
            do throws(SystemError) {
                try SavedQueueCommands.replace(folder, name + ".m3u8", with: SavedQueue.write(entries))
                mailbox.post((slot, .saved(withoutHeaders: SavedQueue.headerCount(entries))))
            } catch {
                let text = "The queue could not be saved: \(error.reason)."
                mailbox.post((slot, .failed(CommandFailure(.invalidState, text))))
            }
        }
        return slot
    }

    private func load(_ call: CommandCall) throws(CommandFailure) -> ReplySlot {
        let name = try call.parameters.string("name")
        let play = try call.parameters.boolean("play", default: false)
        try SavedQueue.check(name)
        let slot = call.makeReplySlot()
        _ = try? files.run { [folder, mailbox] in
            mailbox.post((slot, SavedQueueCommands.read(folder, name, play: play)))
        }
        return slot
    }

    private func take(_ slot: ReplySlot, _ answer: Answer) {
        switch answer {
        case .failed(let failure): slot.fill(.failure(failure))
        case .saved(let count): fill(slot, withoutHeaders: count)
        case .loaded(let items, let count, let play):
            do throws(CommandFailure) {
                try player.replaceQueue(items, play: play)
                let number = keeper.collect()
                keeper.whenSaved(number) { [weak self] in self?.fill(slot, withoutHeaders: count) }
            } catch {
                slot.fill(.failure(error))
            }
        }
    }

    private func fill(_ slot: ReplySlot, withoutHeaders: Int) {
        server.hub.settle()
        let text = JSONText.object { text in
            text.member("revision", server.hub.table.revision)
            text.member("withoutHeaders", withoutHeaders)
        }
        slot.fill(.success(text))
    }

    // MARK: Files, on their thread

    private static func replace(_ folder: String, _ name: String, with bytes: [UInt8]) throws(SystemError) {
        _ = unsafe mkdir(folder, 0o700)
        let path = folder + "/" + name
        let part = folder + "/.part"
        try write(bytes, to: part)
        try System.check("rename", path) { unsafe rename(part, path) }
    }

    private static func write(_ bytes: [UInt8], to path: String) throws(SystemError) {
        let file = try System.open(path, O_WRONLY | O_CREAT | O_TRUNC)
        let fd = file.raw
        var failure: SystemError?
        unsafe bytes.withUnsafeBytes { buffer in
            do throws(SystemError) { try unsafe System.writeAll(fd, buffer) } catch { failure = error }
        }
        if let failure { throw failure }
        try System.check("fsync", path) { fsync(fd) }
    }

    private static func read(_ folder: String, _ name: String, play: Bool) -> Answer {
        for ending in endings {
            let path = "\(folder)/\(name)\(ending)"
            guard unsafe access(path, F_OK) == 0 else { continue }
            do {
                let bytes = try System.contents(of: path, limit: mostBytes)
                let exists: (String) -> Bool = { unsafe access($0, F_OK) == 0 }
                guard let list = try SavedQueue.read(bytes, path: path, name: "\"\(name)\"", exists: exists)
                else {
                    return .failed(
                        CommandFailure(.unsupported, "What is saved as \"\(name)\" is no playlist."))
                }
                return .loaded(list.items, withoutHeaders: list.withoutHeaders, play: play)
            } catch let error as PlaybackFailure {
                return .failed(CommandFailure(.unsupported, error.message))
            } catch {
                return .failed(CommandFailure(.invalidState, "\"\(name)\" cannot be read: \(error)."))
            }
        }
        return .failed(CommandFailure(.notFound, "No queue is saved as \"\(name)\"."))
    }

    private static func names(in folder: String) -> JSONText {
        var names: Set<String> = []
        for file in OpenFolder.names(in: folder) where !file.hasPrefix(".") {
            guard let ending = endings.first(where: { file.hasSuffix($0) }) else { continue }
            names.insert(String(file.dropLast(ending.count)))
        }
        return .object { text in
            text.member("names", names.sorted())
        }
    }
}
