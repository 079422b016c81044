/// A value as SQLite keeps it.
package enum SQLValue: Equatable, Sendable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])

    /// The value, or null for nil.
    package static func optional(_ text: String?) -> SQLValue { text.map { .text($0) } ?? .null }

    /// The value, or null for nil.
    package static func optional(_ number: Int64?) -> SQLValue { number.map { .integer($0) } ?? .null }

    /// The value, or null for nil and for what is no finite number.
    package static func optional(_ number: Double?) -> SQLValue {
        number.flatMap { $0.isFinite ? .real($0) : nil } ?? .null
    }

    /// 1 for true, 0 for false.
    package static func flag(_ isSet: Bool) -> SQLValue { .integer(isSet ? 1 : 0) }
}
