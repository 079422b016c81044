/// A name as people sort it: without regard to case, numbers by what they are worth.
struct SortingKey: Comparable {
    private enum Part: Comparable {
        /// Its digits without leading zeros, so that no number is too long.
        case number(digits: Int, text: String)
        case text(String)
    }

    private var parts: [Part] = []
    /// Tells apart what is equal otherwise.
    private let name: String

    init(_ name: String) {
        self.name = name
        var rest = name.lowercased()[...]
        while let first = rest.first {
            let isNumber = Self.isDigit(first)
            let run = rest.prefix { Self.isDigit($0) == isNumber }
            rest = rest.dropFirst(run.count)
            if isNumber {
                let digits = run.drop { $0 == "0" }
                parts.append(.number(digits: digits.count, text: String(digits)))
            } else {
                parts.append(.text(String(run)))
            }
        }
    }

    static func < (a: Self, b: Self) -> Bool {
        for (one, other) in zip(a.parts, b.parts) where one != other { return one < other }
        return a.parts.count == b.parts.count ? a.name < b.name : a.parts.count < b.parts.count
    }

    private static func isDigit(_ character: Character) -> Bool { ("0"..."9").contains(character) }
}
