import Base

/// What a connection may be restricted to: the groups of the methods.
enum MethodGroup: String, CaseIterable, Sendable {
    /// To see what there is and to be told of it.
    case observe
    /// To play, pause, seek, and to set what is heard.
    case control
    /// To change the queue, by what is in it or in the store.
    case queue
    /// To name URLs on the network, and to play one in place of the queue.
    case open
    /// To list and change the store.
    case store
    /// To name files of this machine, and to write some.
    case files
    /// To change how the daemon works, and to end it.
    case admin

    /// The group of each method; those that are not here need none.
    private static let groups: [String: MethodGroup] = [
        "get": .observe, "observe": .observe, "unobserve": .observe, "explain": .observe,
        "queue.list": .observe,
        "queue.saved": .observe, "history.list": .observe, "alarm.list": .observe, "cache.status": .observe,
        "cache.list": .observe, "artwork.read": .observe, "outputs.devices": .observe,
        "play": .control, "pause": .control, "stop": .control, "toggle": .control, "next": .control,
        "previous": .control, "seek": .control, "seek.begin": .control, "seek.end": .control,
        "remote": .control,
        "set": .control, "adjust": .control, "invert": .control, "history.mark": .control,
        "alarm.add": .control,
        "alarm.remove": .control,
        "queue.add": .queue, "queue.insertNext": .queue, "queue.replaceCurrent": .queue,
        "queue.remove": .queue,
        "queue.move": .queue, "queue.clear": .queue, "queue.shuffle": .queue, "queue.save": .queue,
        "queue.load": .queue, "announce": .control, "open": .open, "probe": .open,
        "store.export": .files,
        "cache.clear": .admin, "reload": .admin, "shutdown": .admin,
    ]
    private static let free: Set<String> = ["ping", "version", "rpc.discover", "restrict"]

    /// The group of a method; nil for one that anybody may call. What is not known is for who may do everything.
    static func of(_ method: String) -> MethodGroup? {
        if free.contains(method) { return nil }
        return groups[method] ?? (method.hasPrefix("store.") ? .store : .admin)
    }

    /// All groups that a call needs: its method's, and those of what it names.
    static func needed(_ method: String, _ params: JSONValue?) -> Set<MethodGroup> {
        var needed: Set<MethodGroup> = []
        if let group = of(method) { needed.insert(group) }
        guard let params else { return needed }
        switch method {
        case "open", "probe", "announce", "alarm.add", "store.addSource", "queue.add", "queue.insertNext",
            "queue.replaceCurrent":
            needed.formUnion(addresses(params).compactMap(group(ofAddress:)))
        case "set", "adjust", "invert":
            if keys(params).contains(where: { !isHeard($0) }) { needed.insert(.admin) }
        default: break
        }
        return needed
    }

    /// Nil for an item of the store, which somebody brought there who might.
    private static func group(ofAddress text: String) -> MethodGroup? {
        if text.hasPrefix("/") || text.lowercased().hasPrefix("file:") { return .files }
        return StoreReference.id(text) == nil ? .open : nil
    }

    /// The texts of a call that name something to be opened; a title is none.
    private static func addresses(_ value: JSONValue) -> [String] {
        switch value {
        case .string(let text): [text]
        case .array(let values): values.flatMap { addresses($0) }
        case .object(let members):
            members.flatMap { name, value in
                ["url", "items", "item", "fallback"].contains(name) ? addresses(value) : []
            }
        default: []
        }
    }

    /// The keys of a call that sets some.
    private static func keys(_ params: JSONValue) -> [String] {
        switch params {
        case .string(let key): [key]
        case .array(let values): values.flatMap { keys($0) }
        case .object(let members):
            members.flatMap { name, value -> [String] in
                switch (name, value) {
                case ("values", .object(let values)): values.keys
                case ("key", _): keys(value)
                // By position: the values themselves.
                case (_, _) where members["values"] == nil && members["key"] == nil: [name]
                default: []
                }
            }
        default: []
        }
    }

    /// True for what is set to hear something else.
    private static func isHeard(_ key: String) -> Bool {
        key.hasPrefix("player.") || key.hasPrefix("outputs.")
    }
}
