package import Base

/// Turns changes of the property table into messages: one set a command, one message a subscription and turn.
///
/// Belongs to the control thread.
package final class ChangeHub {
    package let table: PropertyTable
    /// The first segments of keys that clients may name though nothing is there yet.
    private let segments: Set<String>
    private var keySets: [KeySelection: KeySet] = [:]
    /// The same by the names as they were given, so that who asks again need not be sorted and checked anew.
    private var asGiven: [[String]: KeySet] = [:]
    /// What was asked for last: who polls, asks for the same again.
    private var lastNames: [String] = []
    private var lastKeySet: KeySet?
    private var touched: [KeySet] = []
    /// How many key sets without subscriptions are kept for the next `get`, and how many names such a one has.
    private static let idleKeySets = 256
    private static let idleNames = 32
    private static let idleBytes = 2048

    /// True when these names may be kept though nobody observes them.
    private static func isSmall(_ names: [String]) -> Bool {
        names.count <= idleNames && names.reduce(0) { $0 + $1.utf8.count } <= idleBytes
    }

    package init(_ table: PropertyTable, segments: Set<String>) {
        self.table = table
        self.segments = segments
    }

    /// The shared state of these names, to be observed or only read. Throws invalid_params or not_found.
    func keySet(of names: [String], toObserve: Bool) throws(CommandFailure) -> KeySet {
        if let lastKeySet, lastNames == names { return lastKeySet }
        if let known = asGiven[names] {
            keep(names, known)
            return known
        }
        let keySet = try normalKeySet(of: names, toObserve: toObserve)
        if ChangeHub.isSmall(names) {
            if asGiven.count >= ChangeHub.idleKeySets { asGiven = [:] }
            asGiven[names] = keySet
            keep(names, keySet)
        }
        return keySet
    }

    private func keep(_ names: [String], _ keySet: KeySet) {
        lastNames = names
        lastKeySet = keySet
    }

    private func normalKeySet(of names: [String], toObserve: Bool) throws(CommandFailure) -> KeySet {
        let selection = try KeySelection(names, known: segments)
        if let known = keySets[selection] { return known }
        if keySets.count >= ChangeHub.idleKeySets {
            keySets = keySets.filter { !$0.value.subscriptions.isEmpty }
            asGiven = [:]
            lastKeySet = nil
        }
        let made = KeySet(selection, table)
        guard toObserve || ChangeHub.isSmall(selection.names) else { return made }
        keySets[selection] = made
        return made
    }

    /// A subscription ended: a large key set that nobody observes is not kept.
    func release(_ keySet: KeySet) {
        guard keySet.subscriptions.isEmpty, !ChangeHub.isSmall(keySet.selection.names) else { return }
        keySets[keySet.selection] = nil
    }

    /// Ends a change set: what changed since the last one becomes due to all who observe it.
    package func settle() {
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
    func deliverAll() {
        guard !touched.isEmpty else { return }
        let now = MonotonicTime.now
        for keySet in touched {
            for subscription in keySet.subscriptions { subscription.deliver(at: now, isForced: false) }
            keySet.endTurn()
        }
        touched.removeAll(keepingCapacity: true)
    }
}
