import Base
import Terminal

extension BrowseModel {
    /// What a key asks of the world around the model.
    enum Effect: Equatable, Sendable {
        case ask(Request)
        /// Opens a URI on the desktop.
        case open(String)
        case quit
    }

    /// Takes a key.
    mutating func press(_ key: Key) -> Effect? {
        message = nil
        switch mode {
        case .filter: return pressInFilter(key)
        case .help:
            mode = .list
            return nil
        case .list, .detail:
            if let effect = move(key) { return effect.value }
            return command(key)
        }
    }

    private mutating func pressInFilter(_ key: Key) -> Effect? {
        switch key {
        case .enter, .tab: mode = .list
        case .escape:
            mode = .list
            filter("")
        case .clearLine: filter("")
        case .backspace: filter(String(query.text.dropLast()))
        case .character(let character): filter(query.text + String(character))
        case .up: window.move(by: -1)
        case .down: window.move(by: 1)
        case .pageUp: window.move(by: -window.height)
        case .pageDown: window.move(by: window.height)
        default: break
        }
        return nil
    }

    private mutating func filter(_ text: String) {
        if text != query.text { list { $0.text = text } }
    }

    private mutating func list(_ change: (inout ListQuery) -> Void) {
        change(&query)
        window.restart()
    }

    /// A key that was understood; with what it asks for.
    private struct Done { var value: Effect? }

    /// Takes a key that moves about; nil for any other.
    private mutating func move(_ key: Key) -> Done? {
        let old = window.selected
        switch key {
        case .up, .character("k"): step(-1)
        case .down, .character("j"): step(1)
        case .pageUp: step(-window.height)
        case .pageDown: step(window.height)
        case .home, .character("g"): if mode == .detail { scroll = 0 } else { window.select(0) }
        case .end, .character("G"): if mode == .list { window.select(.max) }
        case .tab: mode = mode == .detail ? .list : .detail
        case .right: mode = .detail
        case .left: mode = .list
        case .escape: leave()
        default: return nil
        }
        if mode == .list || window.selected != old { scroll = 0 }
        return Done()
    }

    private mutating func step(_ steps: Int) {
        // The screen knows how long the detail is, and bounds this.
        if mode == .detail { scroll = max(0, scroll + steps) } else { window.move(by: steps) }
    }

    /// Back by one step: from the detail to the list, then to the list of all.
    private mutating func leave() {
        if mode == .detail { mode = .list } else if !query.text.isEmpty { filter("") }
    }

    private mutating func command(_ key: Key) -> Effect? {
        if case .enter = key { return act("open", named: "play") { ["url": .string("store:\($0.id)")] } }
        guard case .character(let character) = key else { return nil }
        switch character {
        case "q": return .quit
        case "?": mode = .help
        case "/": (mode, scroll) = (.filter, 0)
        case "t": list { $0.nextKind() }
        case "u": list { $0.isUnheard.toggle() }
        case "v": list { $0.isAvailable.toggle() }
        case "s": list { $0.nextOrder() }
        case "S": list { $0.reverseOrder() }
        case "f":
            let source = query.source == nil ? item?.source : nil
            list { $0.source = source }
        default: return itemCommand(character) ?? playerCommand(character)
        }
        return nil
    }

    // MARK: The item

    private mutating func itemCommand(_ character: Character) -> Effect? {
        switch character {
        case "a": return act("queue.add", named: "added to the queue", parameters: queued)
        case "n": return act("queue.insertNext", named: "comes next", parameters: queued)
        case "d":
            return act("store.download", named: "is being downloaded") { ["ids": .array([.integer($0.id)])] }
        case "D": return deleteDownload()
        case "m":
            return act("store.mark", named: "marked") {
                ["id": .integer($0.id), "heard": .bool(!$0.isHeard)]
            }
        case "o":
            guard let item else { return say("there is nothing selected") }
            return .ask(.picture(item.id, isFull: true))
        case "w":
            guard let geo = item?.geo else { return say("it is not known where that is") }
            return .open(geo)
        case "r":
            let parameters = query.source.map { JSONValue.object(["source": .integer($0)]) }
            return .ask(.action("store.refresh", parameters ?? .null, done: "sources are read anew"))
        default: return nil
        }
    }

    private func queued(_ item: StoreItem) -> [String: JSONValue] {
        ["items": .array([.string("store:\(item.id)")])]
    }

    private mutating func deleteDownload() -> Effect? {
        let progress = item.flatMap { DownloadProgress($0.id, in: values) }
        if let progress, !progress.isSettled {
            return act("store.cancelDownload", named: "is not downloaded") {
                ["ids": .array([.integer($0.id)])]
            }
        }
        return act("store.deleteDownload", named: "is deleted here") { ["ids": .array([.integer($0.id)])] }
    }

    private mutating func act(
        _ method: String, named done: String, parameters: (StoreItem) -> [String: JSONValue]
    ) -> Effect? {
        guard let item else { return say("there is nothing selected") }
        return .ask(
            .action(
                method, .object(JSONMembers(parameters(item))),
                done: method == "open" ? nil : "\(item.title): \(done)"))
    }

    private mutating func say(_ text: String) -> Effect? {
        message = text
        return nil
    }

    // MARK: The player

    private func playerCommand(_ character: Character) -> Effect? {
        switch character {
        case " ": action("toggle")
        case "<": action("previous")
        case ">": action("next")
        case "x": action("stop")
        case ",": action("seek", ["by": .integer(-10)])
        case ".": action("seek", ["by": .integer(30)])
        case "+", "=": action("adjust", ["key": .string("player.volume"), "by": .integer(5)])
        case "-": action("adjust", ["key": .string("player.volume"), "by": .integer(-5)])
        default: nil
        }
    }

    private func action(_ method: String, _ parameters: [String: JSONValue] = [:]) -> Effect {
        .ask(.action(method, .object(JSONMembers(parameters)), done: nil))
    }
}
