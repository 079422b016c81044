package import Base
import CLinux
import Glibc
package import Player
import Wire

/// The daemon's end of the control protocol: a socket, its clients, the commands and the observed state.
///
/// Belongs to the control thread. Create it after everything else that works at the end of the loop's turn, so
/// that what changes there is still told in that turn.
// Safe because the chunk is private to the module, lives as long as the server and is used within its length.
@safe package final class ControlServer {
    /// The methods; add those of other modules before `start`.
    package let commands: CommandTable
    /// The changes on their way to the subscriptions.
    package let hub: ChangeHub

    /// What replies wait for, if they are to wait; set it before `start`.
    package weak var gate: (any ReplyGate)?

    let loop: EventLoop
    let options: ControlOptions
    let completions: Mailbox<ReplySlot.Completion>
    /// What every session reads into, one at a time.
    let chunk: UnsafeMutableRawBufferPointer
    private static let chunkBytes = 64 * 1024

    private let peers: PeerPolicy
    private var listener: ListeningSocket?
    private var registration: EventLoop.Registration?
    /// True once the log says that nobody can be let in, until somebody was.
    private var isRefusalTold = false
    private var sessions: [Int: Session] = [:]
    private var lastSession = 0
    private var toPump: [Session] = []

    /// The first segments of keys that clients may name.
    package static let segments: Set<String> = [
        "player", "item", "buffer", "queue", "outputs", "cache", "network", "server", "store", "sources",
        "locations", "downloads", "artwork",
    ]

    /// Joins the commands to a player and a table. Throws when there are no descriptors left.
    package init(
        loop: EventLoop, table: PropertyTable, player: Player, options: ControlOptions, hooks: ControlHooks
    ) throws(SystemError) {
        self.loop = loop
        self.options = options
        hub = ChangeHub(table, segments: ControlServer.segments)
        completions = try Mailbox()
        unsafe chunk = .allocate(byteCount: ControlServer.chunkBytes, alignment: 16)
        peers = PeerPolicy(userID: geteuid(), groupID: options.groupID)
        commands = CommandTable()
        commands.addPlayback(player)
        commands.addQueue(player)
        commands.addState()
        commands.addServer(hooks)
        commands.addExplain(player, hooks.journal)
        try completions.deliver(on: loop) { [unowned self] completion in complete(completion) }
        loop.atEndOfTurn { [unowned self] in endTurn() }
    }

    deinit { unsafe chunk.deallocate() }

    // MARK: Listening

    /// Opens the socket and lets clients in. Throws `inUse` when another daemon has it.
    package func start() throws(ListenError) {
        jb_raise_descriptor_limit(UInt(options.clients) + 256)
        let listener = try ListeningSocket(options.location, groupID: options.groupID)
        self.listener = listener
        do throws(SystemError) {
            try listen()
        } catch {
            throw ListenError.system(error)
        }
    }

    /// Writes what can be written at once, ends all connections and removes the socket.
    package func stop() {
        if let registration { loop.remove(registration) }
        registration = nil
        endTurn()
        for session in sessions.values { session.close() }
        listener?.remove()
        listener = nil
    }

    private func listen() throws(SystemError) {
        guard let listener else { return }
        registration = try loop.add(listener.descriptor, .readable) { [unowned self] _ in acceptAll() }
    }

    private func acceptAll() {
        // Bounded, so that a flood of clients does not keep the loop from the others.
        for _ in 0..<64 {
            guard let listener else { return }
            let flags = Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
            let fd = accept4(listener.descriptor, nil, nil, flags)
            if fd >= 0 {
                isRefusalTold = false
                admit(FileDescriptor(owning: fd))
            } else if errno != EINTR, errno != ECONNABORTED {
                if errno != EAGAIN { pauseAccepting(SystemError(code: errno, operation: "accept")) }
                return
            }
        }
    }

    /// Without descriptors or memory the socket would be ready without end: it is left alone for a moment.
    private func pauseAccepting(_ error: SystemError) {
        // Once, not twice a second for as long as it lasts.
        if !isRefusalTold { Log.warning("control", "no client can be let in at this moment: \(error)") }
        isRefusalTold = true
        if let registration { loop.remove(registration) }
        registration = nil
        loop.schedule(after: .milliseconds(500)) { [weak self] in
            do throws(SystemError) {
                try self?.listen()
            } catch {
                self?.pauseAccepting(error)
            }
        }
    }

    // MARK: Sessions

    /// Lets a connected client in, if it may come in.
    func admit(_ socket: consuming FileDescriptor) {
        if !peers.allows(peerOf: socket.raw) {
            return turnAway(socket, CommandFailure(.denied, "This user may not control the daemon."))
        }
        if sessions.count >= options.clients {
            let text = "There are \(options.clients) clients already, which is the most there can be."
            return turnAway(socket, CommandFailure(.limit, text))
        }
        lastSession += 1
        let session = Session(lastSession, socket, self)
        do throws(SystemError) {
            try session.start()
            sessions[session.id] = session
            session.begin()
        } catch {
            Log.warning("control", "a client cannot be served: \(error)")
        }
    }

    private func turnAway(_ socket: consuming FileDescriptor, _ failure: CommandFailure) {
        let line = MessageWriter.line(MessageWriter.reply(.null, error: RPCError(failure)))
        let fd = socket.raw
        _ = unsafe line.withUnsafeBytes {
            unsafe Glibc.send(fd, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
    }

    func forget(_ session: Session) { sessions[session.id] = nil }

    /// How many clients are connected.
    package var clientCount: Int { sessions.count }

    func pumpLater(_ session: Session) { toPump.append(session) }

    private func complete(_ completion: ReplySlot.Completion) {
        hub.settle()
        sessions[completion.session]?.complete(completion.serial, completion.result)
    }

    /// Everybody is told what changed in this turn.
    private func endTurn() {
        // A client that was waited for may have more commands, and these may change something again.
        repeat {
            hub.settle()
            hub.deliverAll()
            if toPump.isEmpty { continue }
            let sessions = toPump
            toPump.removeAll(keepingCapacity: true)
            for session in sessions { session.pumpAtEndOfTurn() }
        } while !toPump.isEmpty || hub.isDue
    }
}
