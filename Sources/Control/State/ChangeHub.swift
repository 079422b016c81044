package import Base

/// Turns changes of the property table into messages: one set a command, one message a subscription and turn.
///
/// Belongs to the control thread.
package final class ChangeHub {
    package let table: PropertyTable
    /// The first segments of keys that clients may name though nothing is there yet.
    private let segments: Set<String>
    private var keySets: [KeySelection: KeySet] = [:]
    private var touched: [KeySet] = []
    private static let idleKeySets = 256

    package init(_ table: PropertyTable, segments: Set<String>) {
        self.table = table
        self.segments = segments
    }

    /// The shared state of these names. Throws invalid_params or not_found.
    func keySet(of names: [String]) throws(CommandFailure) -> KeySet {
        let selection = try KeySelection(names, known: segments)
        if let known = keySets[selection] { return known }
        if keySets.count >= ChangeHub.idleKeySets {
            keySets = keySets.filter { !$0.value.subscriptions.isEmpty }
        }
        let made = KeySet(selection, table)
        keySets[selection] = made
        return made
    }

    /// Ends a change set: what changed since the last one becomes due to all who observe it.
    func settle() {
        guard table.hasChanges else { return }
        let changes = table.takeChanges()
        guard !changes.isEmpty else { return }
        for keySet in keySets.values where !keySet.subscriptions.isEmpty {
            if keySet.note(changes, revision: table.revision) { touched.append(keySet) }
        }
    }

    /// True when `settle` and `deliverAll` have something to do.
    var isDue: Bool { table.hasChanges || !touched.isEmpty }

    /// Gives every subscription what is due to it; the end of the loop's turn.
    func deliverAll(at now: MonotonicTime) {
        guard !touched.isEmpty else { return }
        for keySet in touched {
            for subscription in keySet.subscriptions { subscription.deliver(at: now, isForced: false) }
            keySet.endTurn()
        }
        touched.removeAll(keepingCapacity: true)
    }
}
