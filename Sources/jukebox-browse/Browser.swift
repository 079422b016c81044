import Base
import Glibc
import Terminal

/// Joins the model, the screen and the daemon: one loop that waits for keys, changes and signals.
final class Browser {
    /// While there is no daemon one is looked for so often.
    private static let retryInterval = Duration.seconds(1)

    private static let observed = ["store", "sources", "downloads", "artwork", "player", "item", "queue"]

    private let screen: Screen
    private let wake: Wake
    private let link: Link
    private let picturing = Picturing()
    private var model: BrowseModel
    private var nextTry = MonotonicTime.now
    private var isOver = false

    init(screen: Screen, wake: Wake, link: Link) {
        (self.screen, self.wake, self.link) = (screen, wake, link)
        model = BrowseModel(showsPictures: picturing != nil && screen.hasUnicode)
    }

    /// Returns when the person leaves.
    func run() {
        while !isOver {
            connectIfDue()
            model.window.setHeight(screen.layout.bodyRows)
            ask()
            draw()
            let descriptors = [link.descriptor, picturing?.descriptor ?? -1]
            take(wake.wait(for: descriptors, until: deadline))
        }
    }

    /// When something is to be done though nothing happened.
    private var deadline: MonotonicTime? {
        model.away == nil ? PlaybackText.nextSecond(model.values) : nextTry
    }

    // MARK: Showing

    private func draw() {
        let layout = screen.layout
        if layout.bodyRows > 0 {
            model.scroll = max(0, min(model.scroll, DetailWriter(model, layout).count - layout.bodyRows))
        }
        screen.show(PageWriter(model: model, layout: layout, hasUnicode: screen.hasUnicode).page())
    }

    // MARK: Hearing

    private func take(_ readable: Set<Int32>) {
        for number in wake.takeSignals() {
            if number == SIGWINCH { screen.resize() } else { isOver = true }
        }
        // A terminal that went away is at its end.
        let keys = screen.keys()
        if keys.isEmpty, readable.contains(0), Browser.isInputOver { isOver = true }
        for key in keys { perform(model.press(key)) }
        if link.descriptor >= 0, readable.contains(link.descriptor) { receive() }
        if let picturing, readable.contains(picturing.descriptor), let picture = picturing.take() {
            model.setPicture(picture)
        }
    }

    private static var isInputOver: Bool {
        var entry = pollfd(fd: 0, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&entry, 1, 0) > 0 && entry.revents & Int16(POLLHUP | POLLERR) != 0
    }

    private func perform(_ effect: BrowseModel.Effect?) {
        switch effect {
        case nil: break
        case .quit: isOver = true
        case .open(let uri): open(uri)
        case .ask(let request):
            if model.away != nil { model.message = "there is no daemon" } else { send(request) }
        }
    }

    private func open(_ target: String) {
        model.message = Desktop.open(target) ? "opened \(target)" : target
    }

    // MARK: The daemon

    private func connectIfDue() {
        guard model.away != nil, nextTry <= .now else { return }
        nextTry = .now + Browser.retryInterval
        if let reason = link.connect() { return model.disconnected(reason) }
        model.connected()
        for key in Browser.observed { send(.observe(key)) }
    }

    private func ask() {
        for request in model.takeRequests() { send(request) }
        guard let picture = model.wantedPicture(screen.layout.picture) else { return }
        model.setPicture(picture)
        send(.picture(picture.item, isFull: false))
    }

    private func send(_ request: Request) {
        if !link.send(request) { model.disconnected("the daemon went; waiting for it to come back") }
    }

    private func receive() {
        guard let messages = link.receive() else {
            return model.disconnected("the daemon went; waiting for it to come back")
        }
        for message in messages {
            switch message {
            case .changes(let changes): model.change(changes)
            case .refused(let text, let request): model.fail(PlainText.line(text), request)
            case .result(let value, .picture(let id, let isFull)):
                take(picture: value, of: id, isFull: isFull)
            case .result(let value, let request): model.take(value, of: request)
            }
        }
    }

    private func take(picture result: JSONValue, of id: Int64, isFull: Bool) {
        guard case .string(let path)? = result["path"], path.hasPrefix("/") else {
            if isFull { model.message = "the picture is not here yet" }
            return
        }
        if isFull { return open(path) }
        guard let picture = model.picture, picture.item == id else { return }
        picturing?.make(picture, from: path)
    }
}
