/// A typed observed property: writing a different value records a change in its table.
///
/// Belongs to the control thread, like its table.
package final class Property<Value: Equatable & JSONRepresentable> {
    /// The dotted key of the protocol, such as `player.state`.
    package let key: String
    @usableFromInline let table: PropertyTable
    @usableFromInline var stored: Value

    /// The value; most writes change nothing, so these are compared where they are made, without a copy.
    @inlinable package var value: Value {
        get { stored }
        set {
            guard newValue != stored else { return }
            stored = newValue
            tell()
        }
    }

    /// Puts the property into its table with a first value.
    package init(_ key: String, _ value: Value, in table: PropertyTable) {
        self.key = key
        stored = value
        self.table = table
        table.set(key, value)
    }

    @usableFromInline func tell() { table.set(key, stored) }
}
