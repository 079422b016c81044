/// Why bytes were not taken as JSON.
package struct JSONError: Error, Equatable, Sendable {
    /// What kind of fault it is; they have different codes in JSON-RPC.
    package enum Kind: Equatable, Sendable {
        /// Not JSON, or JSON that RFC 8259 advises against (a name twice, a lone surrogate).
        case syntax
        /// More values or levels than `JSONLimits` allow.
        case limit
    }

    /// Which of the two it is.
    package let kind: Kind
    /// One sentence for a person, without a full stop.
    package let message: String
}
