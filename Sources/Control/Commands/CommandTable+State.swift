import Base
import Wire

extension CommandTable {
    /// Adds `get`, `set`, `adjust`, `invert`, `observe`, `unobserve`.
    package func addState() {
        add("get", positional: "keys") { (call) throws(CommandFailure) in try CommandTable.get(call) }
        add("set", positional: "values") { (call) throws(CommandFailure) in try CommandTable.set(call) }
        add("adjust") { (call) throws(CommandFailure) in try CommandTable.adjust(call) }
        add("invert", positional: "key") { (call) throws(CommandFailure) in try CommandTable.invert(call) }
        add("observe", positional: "keys") { (call) throws(CommandFailure) in try CommandTable.observe(call) }
        add("unobserve", positional: "subscription") { (call) throws(CommandFailure) in
            try call.session.unobserve(try call.parameters.integer("subscription"))
            return .result(JSONText(raw: "{}"))
        }
    }

    // MARK: Reading

    private static func get(_ call: CommandCall) throws(CommandFailure) -> CommandOutcome {
        let hub = call.session.hub
        let keySet = try hub.keySet(of: try call.parameters.strings("keys"), toObserve: false)
        return .result(keySet.reading())
    }

    private static func observe(_ call: CommandCall) throws(CommandFailure) -> CommandOutcome {
        let parameters = call.parameters
        let hub = call.session.hub
        let keySet = try hub.keySet(of: try parameters.strings("keys"), toObserve: true)
        let withValues = try parameters.boolean("initial", default: true)
        let withOld = try parameters.boolean("old", default: false)
        let seconds = try parameters.optionalNumber("minInterval") ?? 0
        guard seconds >= 0, seconds <= longestInterval else {
            throw CommandFailure(
                .invalidParams,
                "minInterval is \(JSONText(seconds).string); it must be from 0 to \(Int(longestInterval)) seconds."
            )
        }
        let subscription = try call.session.observe(
            keySet, withOld: withOld, minInterval: .seconds(clamping: seconds))
        let text = JSONText.object { text in
            text.member("subscription", subscription.id)
            text.member("revision", hub.table.revision)
            text.member("values", withValues ? keySet.snapshot() : JSONText(raw: "{}"))
        }
        return .result(text)
    }

    private static let longestInterval = 86_400.0

    // MARK: Writing

    private static func set(_ call: CommandCall) throws(CommandFailure) -> CommandOutcome {
        let allowed = "an object of keys and values"
        let value = try call.parameters.require("values", allowed, call.parameters["values"])
        guard case .object(let members) = value else { throw Parameters.wrong("values", value, allowed) }
        let table = call.session.hub.table
        var changes: [() -> Void] = []
        for (key, value) in members {
            let property = try settable(key, table)
            changes.append(try property.prepare(value))
        }
        for change in changes { change() }
        return call.revisionResult()
    }

    private static func adjust(_ call: CommandCall) throws(CommandFailure) -> CommandOutcome {
        let key = try call.parameters.string("key")
        let by = try call.parameters.number("by")
        let table = call.session.hub.table
        let property = try settable(key, table)
        guard case .number(let range) = property.kind, let current = try value(of: key, table)?.number else {
            throw CommandFailure(
                .invalidParams, "key is \(Quoted.text(key)), which holds no number to adjust.")
        }
        let sum = current + by
        guard sum == sum else { throw Parameters.wrong("by", .real(by), "a finite number") }
        try property.prepare(.real(min(max(sum, range.lowerBound), range.upperBound)))()
        return valueResult(key, call)
    }

    private static func invert(_ call: CommandCall) throws(CommandFailure) -> CommandOutcome {
        let key = try call.parameters.string("key")
        let table = call.session.hub.table
        let property = try settable(key, table)
        guard property.kind == .boolean, case .bool(let current)? = try value(of: key, table) else {
            let text = "key is \(Quoted.text(key)), which is not true or false and cannot be inverted."
            throw CommandFailure(.invalidParams, text)
        }
        try property.prepare(.bool(!current))()
        return valueResult(key, call)
    }

    private static func settable(_ key: String, _ table: PropertyTable) throws(CommandFailure)
        -> SettableProperty
    {
        if let property = table.settable[key] { return property }
        if table.text(of: key) != nil {
            throw CommandFailure(.readOnly, "\(Quoted.text(key)) can only be read.")
        }
        throw CommandFailure(.notFound, "There is no property \(Quoted.text(key)).")
    }

    private static func value(of key: String, _ table: PropertyTable) throws(CommandFailure) -> JSONValue? {
        guard let text = table.text(of: key) else { return nil }
        return try? JSONParser.parse(text.bytes)
    }

    private static func valueResult(_ key: String, _ call: CommandCall) -> CommandOutcome {
        let text = JSONText.object { text in
            text.member("revision", call.revision())
            text.member("value", call.session.hub.table.text(of: key) ?? .null)
        }
        return .result(text)
    }
}
