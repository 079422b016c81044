import Base
import CLinux
import Glibc
import Wire

/// One connected client: its lines in, its replies in order and its subscriptions' changes out.
///
/// Belongs to the control thread. Nothing here waits: a client that does not read keeps its replies and merged
/// changes, and past the limits is not read from until it does.
final class Session {
    let id: Int
    let loop: EventLoop
    unowned let server: ControlServer
    // The server's, kept here since the way through an unowned reference costs at every step.
    let hub: ChangeHub
    let commands: CommandTable
    let options: ControlOptions
    private let socket: FileDescriptor
    private var registration: EventLoop.Registration?
    private var interest: EventLoop.Interest = .readable

    // MARK: In

    private var framer = LineFramer()
    private var isFirstLine = true
    private var inputEnded = false
    private var isServing = false
    private(set) var isClosed = false

    /// What it may do; nil for everything.
    var allowed: Set<MethodGroup>?

    // MARK: Out

    let output = SessionOutput()
    private var awaitsPump = false
    private var isOverloaded = false
    private var lastProgress = MonotonicTime.now
    private var stallTimer: TimerQueue.Token?

    // MARK: Replies that come later

    /// Where a deferred reply goes once it is there.
    struct Deferred {
        let id: RequestID
        let reply: DeferredReply
        let part: Int
    }
    var deferred: [Int: Deferred] = [:]
    /// The last `ReplySlot` given to a command, and the last place kept in the output.
    var lastTicket = 0
    var lastSlot = 0
    /// Slots without a line yet.
    var outstanding = 0

    // MARK: Subscriptions

    var subscriptions: [Subscription] = []
    /// Those that the request at work has made; their first change comes after its reply.
    var fresh: [Subscription] = []
    var lastSubscription: Int64 = 0

    /// What commands have left to be done when the client is gone, by name.
    var whenClosed: [String: () -> Void] = [:]

    init(_ id: Int, _ socket: consuming FileDescriptor, _ server: ControlServer) {
        self.id = id
        self.socket = socket
        self.server = server
        loop = server.loop
        hub = server.hub
        commands = server.commands
        options = server.options
    }

    /// Begins to listen to the client.
    func start() throws(SystemError) {
        // Not weak: a weak reference would make every retain of a session slow. Safe because closing removes it.
        registration = try loop.add(socket.raw, .readable) { [unowned self] events in handle(events) }
    }

    /// Does what has come already: most clients send their line while they are let in.
    func begin() { handle(.readable) }

    /// Ends the connection and all that belongs to it.
    func close() {
        guard !isClosed else { return }
        isClosed = true
        if let registration { loop.remove(registration) }
        if let stallTimer { loop.cancel(stallTimer) }
        for subscription in subscriptions { subscription.cancel() }
        subscriptions = []
        deferred = [:]
        for body in whenClosed.values { body() }
        whenClosed = [:]
        shutdown(socket.raw, Int32(SHUT_RDWR))
        server.forget(self)
    }

    // MARK: Events

    private func handle(_ events: EventLoop.Interest) {
        let hasHungUp = events.isHungUp
        if mayRead, events.isReadable || hasHungUp { read() }
        serve()
        // Who has hung up takes no reply; it is let go unless there are more lines of it to do.
        if hasHungUp, !mayRead { close() }
    }

    private var mayProcess: Bool {
        !isClosed && !isOverloaded && outstanding < options.outstandingReplies
    }
    private var mayRead: Bool { mayProcess && !inputEnded }

    private func read() {
        do throws(SystemError) {
            guard let count = try unsafe System.read(socket.raw, into: server.chunk) else { return }
            if count == 0 {
                inputEnded = true
            } else {
                unsafe framer.append(UnsafeRawBufferPointer(rebasing: server.chunk[..<count]))
            }
        } catch {
            close()
        }
    }

    /// Does what can be done now: handles lines, writes, watches for what is missing.
    func serve() {
        guard !isServing, !isClosed else { return }
        isServing = true
        while serveOnce() {}
        isServing = false
        guard !isClosed else { return }
        if inputEnded, output.isEmpty, outstanding == 0, subscriptions.isEmpty { return close() }
        updateInterest()
    }

    /// True when lines were held back, and need not be any more.
    private func serveOnce() -> Bool {
        while mayProcess, let frame = framer.next() {
            take(frame)
            if output.unwrittenReady >= SessionOutput.portion { pump() }
            noteLoad()
        }
        let isHeldBack = !mayProcess
        pump()
        return isHeldBack && mayProcess
    }

    private func take(_ frame: LineFramer.Frame) {
        let isFirst = isFirstLine
        isFirstLine = false
        switch frame {
        case .tooLong:
            let text = "A line may have at most \(LineFramer.requestLimit) bytes."
            reply(MessageWriter.reply(.null, error: .requestLimit(text)))
        case .line(let line):
            if isFirst, HTTPRequestLine.matches(line) { return close() }
            answer(IncomingMessage(line: line))
        }
    }

    func reply(_ text: JSONText) { output.appendReply(MessageWriter.line(text)) }

    private func updateInterest() {
        let wanted = EventLoop.Interest(reading: mayRead, writing: output.isBlocked)
        guard wanted.rawValue != interest.rawValue, let registration else { return }
        interest = wanted
        do throws(SystemError) {
            try loop.modify(registration, wanted)
        } catch {
            close()
        }
    }

    // MARK: Writing

    /// Output was added from outside of `serve`: it is written at the end of the turn.
    func noteOutput() {
        guard !awaitsPump, !isServing else { return }
        awaitsPump = true
        server.pumpLater(self)
    }

    /// Writes what was added, at the end of the turn.
    func pumpAtEndOfTurn() {
        awaitsPump = false
        serve()
    }

    private func pump() {
        while !isClosed, output.unwrittenReady > 0 || output.refill() {
            guard send() else { return }
        }
        output.isBlocked = false
        noteLoad()
    }

    /// Writes once; false when the client takes no more or is gone.
    private func send() -> Bool {
        let start = output.written
        let flags = Int32(MSG_NOSIGNAL | MSG_DONTWAIT)
        // Safe because the rest lies within the array for the length of the call.
        let count = unsafe output.ready.bytes.withUnsafeBytes { bytes in
            unsafe Glibc.send(socket.raw, bytes.baseAddress! + start, bytes.count - start, flags)
        }
        if count >= 0 {
            output.noteWritten(count)
            if isOverloaded { lastProgress = .now }
            return true
        }
        switch errno {
        case EINTR: return true
        case EAGAIN: output.isBlocked = true
        default: close()
        }
        return false
    }

    // MARK: Load

    /// A client that leaves too much unread is not read from until it has read everything.
    private func noteLoad() {
        if isOverloaded {
            isOverloaded = output.unreadBytes > 0
        } else if output.unreadBytes > options.unreadReplyBytes {
            isOverloaded = true
            lastProgress = .now
            startStallTimer()
        }
    }

    private func startStallTimer() {
        guard stallTimer == nil else { return }
        stallTimer = loop.schedule(at: lastProgress + options.stallTimeout) { [weak self] in
            guard let self else { return }
            stallTimer = nil
            guard isOverloaded else { return }
            if MonotonicTime.now - lastProgress >= options.stallTimeout {
                Log.info("control", "a client does not read its replies and is let go")
                close()
            } else {
                startStallTimer()
            }
        }
    }
}
