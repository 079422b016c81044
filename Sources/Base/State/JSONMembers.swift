/// The members of a JSON object, each name once, in the order of their names.
///
/// An array, not a dictionary: messages have a handful of members, and hashing costs more than looking at all.
package struct JSONMembers: Equatable, Sendable {
    private struct Member: Equatable, Sendable {
        let name: String
        var value: JSONValue
    }

    /// Up to so many members are looked through one by one.
    private static let fewMembers = 8

    private var members: [Member] = []

    /// No members.
    package init() {}

    /// The members of a dictionary.
    package init(_ dictionary: [String: JSONValue]) {
        members = dictionary.map { Member(name: $0.key, value: $0.value) }
        members.sort { $0.name < $1.name }
    }

    /// Takes `count` members from `next`, whose names differ; O(n log n).
    package init(count: Int, _ next: () -> (String, JSONValue)?) {
        members.reserveCapacity(count)
        while let (name, value) = next() {
            members.append(Member(name: name, value: value))
            guard count <= JSONMembers.fewMembers else { continue }
            // Few are put in their place at once; many are sorted at the end.
            var place = members.count - 1
            while place > 0, members[place].name < members[place - 1].name {
                members.swapAt(place, place - 1)
                place -= 1
            }
        }
        if members.count > JSONMembers.fewMembers { members.sort { $0.name < $1.name } }
    }

    /// How many there are.
    package var count: Int { members.count }

    /// True when there are none.
    package var isEmpty: Bool { members.isEmpty }

    /// The names, in order.
    package var keys: [String] { members.map(\.name) }

    /// The same as a dictionary.
    package var dictionary: [String: JSONValue] {
        Dictionary(members.map { ($0.name, $0.value) }) { $1 }
    }

    /// The value of that name; nil when there is none. O(log n).
    package subscript(name: String) -> JSONValue? {
        if members.count <= JSONMembers.fewMembers {
            for member in members where member.name == name { return member.value }
            return nil
        }
        var low = 0
        var high = members.count
        while low < high {
            let middle = (low + high) / 2
            if members[middle].name < name { low = middle + 1 } else { high = middle }
        }
        return low < members.count && members[low].name == name ? members[low].value : nil
    }

    /// The same names with other values.
    package func mapValues(_ transform: (JSONValue) -> JSONValue) -> JSONMembers {
        var mapped = self
        for index in mapped.members.indices { mapped.members[index].value = transform(members[index].value) }
        return mapped
    }
}

extension JSONMembers: Sequence {
    /// The names and values, in the order of the names.
    package func makeIterator() -> AnyIterator<(String, JSONValue)> {
        var iterator = members.makeIterator()
        return AnyIterator { iterator.next().map { ($0.name, $0.value) } }
    }
}

extension JSONMembers: ExpressibleByDictionaryLiteral {
    /// The members as written; a name that is there twice is a fault of the program.
    package init(dictionaryLiteral elements: (String, JSONValue)...) {
        self.init(Dictionary(uniqueKeysWithValues: elements))
    }
}
