package import Base
package import Player
import Wire

/// A call's parameters by name; each reader says what was wrong and what is allowed.
///
/// A parameter that is null counts as left out. Unknown ones are ignored.
package struct Parameters {
    private let members: JSONMembers
    /// The items of the store that are named.
    private let stored: [Int64: Result<NewEntry, CommandFailure>]

    init(
        _ params: JSONValue?, positional: String?, stored: [Int64: Result<NewEntry, CommandFailure>] = [:]
    ) throws(CommandFailure) {
        self.stored = stored
        switch params {
        case .object(let members)?: self.members = members
        case .array(let values)? where values.isEmpty: members = [:]
        case .array(let values)?:
            guard let positional else {
                throw CommandFailure(.invalidParams, "This method takes its parameters by name: an object.")
            }
            guard values.count == 1 else {
                let text = "By position this method takes one parameter, \(positional), not \(values.count)."
                throw CommandFailure(.invalidParams, text)
            }
            members = [positional: values[0]]
        default: members = [:]
        }
    }

    /// The value; nil when left out.
    package subscript(name: String) -> JSONValue? {
        guard let value = members[name] else { return nil }
        if case .null = value { return nil }
        return value
    }

    // MARK: Readers

    package func string(_ name: String) throws(CommandFailure) -> String {
        try require(name, "a string", try optionalString(name))
    }

    /// A string; nil when left out.
    package func optionalString(_ name: String) throws(CommandFailure) -> String? {
        guard let value = self[name] else { return nil }
        guard case .string(let text) = value else { throw Parameters.wrong(name, value, "a string") }
        return text
    }

    /// A boolean, or what it is when left out.
    package func boolean(_ name: String, default byDefault: Bool) throws(CommandFailure) -> Bool {
        guard let value = self[name] else { return byDefault }
        guard case .bool(let isSet) = value else { throw Parameters.wrong(name, value, "true or false") }
        return isSet
    }

    /// A required number.
    package func number(_ name: String) throws(CommandFailure) -> Double {
        try require(name, "a number", try optionalNumber(name))
    }

    /// A number; nil when left out.
    package func optionalNumber(_ name: String) throws(CommandFailure) -> Double? {
        guard let value = self[name] else { return nil }
        guard let number = value.number else { throw Parameters.wrong(name, value, "a number") }
        return number
    }

    /// A required integer within 64 bits.
    package func integer(_ name: String) throws(CommandFailure) -> Int64 {
        try require(name, "an integer", try optionalInteger(name))
    }

    /// An integer within 64 bits; nil when left out.
    package func optionalInteger(_ name: String) throws(CommandFailure) -> Int64? {
        guard let value = self[name] else { return nil }
        guard let number = Parameters.integer(value) else {
            throw Parameters.wrong(name, value, "an integer")
        }
        return number
    }

    /// A required array of strings.
    package func strings(_ name: String) throws(CommandFailure) -> [String] {
        let allowed = "an array of strings"
        let values = try array(name, allowed)
        var strings: [String] = []
        strings.reserveCapacity(values.count)
        for value in values {
            guard case .string(let text) = value else { throw Parameters.wrong(name, value, allowed) }
            strings.append(text)
        }
        return strings
    }

    /// A required array of integers.
    package func integers(_ name: String) throws(CommandFailure) -> [Int64] {
        let allowed = "an array of integers"
        var integers: [Int64] = []
        for value in try array(name, allowed) {
            guard let number = Parameters.integer(value) else { throw Parameters.wrong(name, value, allowed) }
            integers.append(number)
        }
        return integers
    }

    /// The elements of an array; `allowed` says what it should be.
    package func array(_ name: String, _ allowed: String) throws(CommandFailure) -> [JSONValue] {
        let value = try require(name, allowed, self[name])
        guard case .array(let values) = value else { throw Parameters.wrong(name, value, allowed) }
        return values
    }

    /// What is to be queued by a URL, or as an item of the store by `store:ID`. Throws not_found for one that there
    /// is not.
    package func entry(url: String, title: String?, headers: [HeaderField]) throws(CommandFailure) -> NewEntry
    {
        guard let id = StoreReference.id(url), let found = stored[id] else {
            return NewEntry(url: url, title: title, headers: headers)
        }
        var entry = try found.get()
        if let title { entry.title = title }
        entry.headers += headers
        return entry
    }

    // MARK: Failures

    /// "`name` is `value`; it must be `allowed`."
    package static func wrong(_ name: String, _ value: JSONValue, _ allowed: String) -> CommandFailure {
        CommandFailure(.invalidParams, "\(name) is \(Quoted.value(value)); it must be \(allowed).")
    }

    /// The value; throws that it is missing, and what it must be.
    package func require<Value>(_ name: String, _ allowed: String, _ value: Value?) throws(CommandFailure)
        -> Value
    {
        guard let value else {
            throw CommandFailure(.invalidParams, "\(name) is missing; it must be \(allowed).")
        }
        return value
    }

    /// JSON knows one kind of number: 3.0 is the integer 3.
    private static func integer(_ value: JSONValue) -> Int64? {
        switch value {
        case .integer(let number): number
        case .real(let number) where number.rounded() == number && abs(number) < 9e15: Int64(number)
        default: nil
        }
    }
}
