/// All observed properties by key, with the JSON text of each; the source of every snapshot and change.
///
/// Belongs to the control thread. A write that changes nothing is no change. What changed since the last
/// `takeChanges()` is one set with one revision; nothing is told from inside a write.
package final class PropertyTable {
    /// One property's part in a change set.
    package struct Change {
        package let key: String
        /// Nil: the key did not exist.
        package let old: JSONText?
        /// Nil: the key went away.
        package let new: JSONText?
    }

    private var values: [String: JSONText] = [:]
    private var pending: [String: JSONText?] = [:]
    private var order: [String] = []
    private var sortedKeys: [String]?
    /// Counts how often a key came or went, so that lists of keys can be kept while it stays the same.
    package private(set) var keysVersion = 0
    /// Counts writes that changed something; for whoever must look only then.
    package private(set) var writes: UInt64 = 0
    private var writesAtLastEnd: UInt64 = 0
    private var turnEnds: [() -> Void] = []
    /// Counts change sets; never goes back while the daemon runs.
    package private(set) var revision: Int64 = 0

    /// The properties that clients may set, by key; whoever owns a property puts it here.
    package var settable: [String: SettableProperty] = [:]

    package init() {}

    /// Sets a property; O(1) besides its text's length.
    package func set(_ key: String, _ value: some JSONRepresentable) { set(key, text: JSONText(value)) }

    package func set(_ key: String, text: JSONText) {
        let old = values[key]
        guard old != text else { return }
        note(key, old: old)
        values[key] = text
        if old == nil { keysCameOrWent() }
    }

    /// Removes a property; observers are told that it is gone.
    package func remove(_ key: String) {
        guard let old = values.removeValue(forKey: key) else { return }
        note(key, old: old)
        keysCameOrWent()
    }

    /// The JSON text of a property; nil when there is none.
    package func text(of key: String) -> JSONText? { values[key] }

    /// All keys in order.
    package var keys: [String] {
        if let sortedKeys { return sortedKeys }
        let sorted = values.keys.sorted()
        sortedKeys = sorted
        return sorted
    }

    /// True when something changed since the last set was taken.
    package var hasChanges: Bool { !order.isEmpty }

    /// Ends a change set: raises the revision and returns what differs from before it, oldest first;
    /// empty (and the revision as it was) when nothing does.
    package func takeChanges() -> [Change] {
        guard !order.isEmpty else { return [] }
        let changes: [Change] = order.compactMap { key in
            guard let old = pending[key] else { return nil }
            let new = values[key]
            return old == new ? nil : Change(key: key, old: old, new: new)
        }
        pending.removeAll(keepingCapacity: true)
        order.removeAll(keepingCapacity: true)
        if !changes.isEmpty { revision += 1 }
        return changes
    }

    private func keysCameOrWent() {
        sortedKeys = nil
        keysVersion += 1
    }

    private func note(_ key: String, old: JSONText?) {
        writes &+= 1
        if pending[key] == nil {
            pending[key] = .some(old)
            order.append(key)
        }
    }

    // MARK: Turns

    /// Adds work for the end of each turn in which something was written.
    ///
    /// All that is observed shows in a property, so who follows the state need not look at the end of every turn,
    /// and a request that only reads costs nobody anything.
    package func atEndOfWritingTurn(_ body: @escaping () -> Void) { turnEnds.append(body) }

    /// Ends a turn of the loop that the table belongs to.
    package func endTurn() {
        guard writes != writesAtLastEnd else { return }
        writesAtLastEnd = writes
        for body in turnEnds { body() }
    }
}
