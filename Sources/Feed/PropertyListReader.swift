import Base
import Markup

/// Reads Apple's property lists in XML (https://www.apple.com/DTDs/PropertyList-1.0.dtd) as if they were JSON.
final class PropertyListReader: MarkupHandler {
    /// A list or dictionary that is not ended yet.
    private struct Level {
        var isDictionary: Bool
        var values: [JSONValue] = []
        var members: [String: JSONValue] = [:]
        var key: String?
    }

    private var levels: [Level] = []
    private var root: JSONValue?
    private var text = ""

    private init() {}

    /// The list's value: dates and data as text. Throws what is wrong with it.
    static func read(_ bytes: [UInt8]) throws(FeedError) -> JSONValue {
        let reader = PropertyListReader()
        do throws(XMLError) {
            try XMLReader.read(bytes, into: reader)
        } catch {
            throw FeedError("It is no property list: line \(error.line), \(error).")
        }
        guard let root = reader.root else { throw FeedError("It is a property list of nothing.") }
        return root
    }

    func elementStarted(_ name: MarkupName, _ attributes: [MarkupAttribute]) {
        text = ""
        if ["dict", "array"].contains(name.local) {
            levels.append(Level(isDictionary: name.local == "dict"))
        }
    }

    func text(_ text: String) { self.text += text }

    func elementEnded(_ name: MarkupName) {
        switch name.local {
        case "key": if !levels.isEmpty { levels[levels.count - 1].key = text }
        case "string", "date", "data": add(.string(text))
        case "integer": add(Int64(text.trimmingBlanks).map { .integer($0) } ?? .null)
        case "real": add(Double(text.trimmingBlanks).flatMap { $0.isFinite ? .real($0) : nil } ?? .null)
        case "true": add(.bool(true))
        case "false": add(.bool(false))
        case "dict", "array":
            guard let level = levels.popLast() else { return }
            add(level.isDictionary ? .object(JSONMembers(level.members)) : .array(level.values))
        default: break
        }
        text = ""
    }

    private func add(_ value: JSONValue) {
        guard var level = levels.popLast() else {
            root = root ?? value
            return
        }
        if !level.isDictionary {
            level.values.append(value)
        } else if let key = level.key {
            level.members[key] = value
            level.key = nil
        }
        levels.append(level)
    }
}
