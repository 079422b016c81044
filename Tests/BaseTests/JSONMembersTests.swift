import Base
import Support
import Testing

@Suite struct JSONMembersTests {
    /// Around the number up to which members are looked through one by one.
    @Test(arguments: [0, 1, 2, 7, 8, 9, 10, 300])
    func membersAreFoundAndInOrderHoweverMany(count: Int) {
        var random = SeededGenerator(seed: UInt64(count))
        let names = (0..<count).map { "name\($0)" }.shuffled(using: &random)
        var rest = names[...]
        let members = JSONMembers(count: count) { rest.popFirst().map { ($0, .string($0)) } }
        #expect(members.count == count)
        #expect(members.keys == names.sorted())
        for name in names { #expect(members[name] == .string(name)) }
        for absent in ["", "name", "name-1", "zzz"] { #expect(members[absent] == nil) }
    }

    @Test(arguments: [3, 40]) func orderOfArrivalIsNoDifference(count: Int) {
        let pairs = (0..<count).map { ("n\($0)", JSONValue.integer(Int64($0))) }
        var forward = pairs[...]
        var backward = Array(pairs.reversed())[...]
        let one = JSONMembers(count: count) { forward.popFirst() }
        let other = JSONMembers(count: count) { backward.popFirst() }
        #expect(one == other)
        #expect(one == JSONMembers(Dictionary(uniqueKeysWithValues: pairs)))
        #expect(one != JSONMembers(count: 0) { nil })
        #expect(one.dictionary.count == count)
    }

    @Test func whatIsWrittenIsInTheOrderOfNames() {
        let value = JSONValue.object(["b": .integer(2), "a": .null, "c": .bool(true)])
        #expect(JSONText(value).string == #"{"a":null,"b":2,"c":true}"#)
    }

    @Test func mappedMembersKeepTheirNames() {
        let mapped = (["x": .integer(1), "y": .integer(2)] as JSONMembers).mapValues { _ in .null }
        #expect(mapped == ["x": .null, "y": .null])
    }
}
