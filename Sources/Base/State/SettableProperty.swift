/// How a property that clients may set takes a value: checked first, applied later, so that setting several
/// is all or nothing.
package struct SettableProperty {
    /// What values it takes.
    package enum Kind: Equatable {
        case boolean
        /// Inclusive bounds; `adjust` clamps to them, `set` refuses what lies outside.
        case number(ClosedRange<Double>)
        case choice([String])
        /// Any other; `adjust` and `invert` refuse it.
        case other
    }

    package let kind: Kind
    /// Checks a value and returns what applies it. Throws invalid_params, naming what is allowed.
    package let prepare: (JSONValue) throws(CommandFailure) -> () -> Void

    package init(kind: Kind, prepare: @escaping (JSONValue) throws(CommandFailure) -> () -> Void) {
        self.kind = kind
        self.prepare = prepare
    }
}
