/// A typed observed property: writing a different value records a change in its table.
///
/// Belongs to the control thread, like its table.
package final class Property<Value: Equatable & JSONRepresentable> {
    /// The dotted key of the protocol, such as `player.state`.
    package let key: String
    private let table: PropertyTable

    package var value: Value {
        didSet { if value != oldValue { table.set(key, value) } }
    }

    /// Puts the property into its table with a first value.
    package init(_ key: String, _ value: Value, in table: PropertyTable) {
        self.key = key
        self.value = value
        self.table = table
        table.set(key, value)
    }
}
