import Base

/// All that subscriptions and readers of the same keys share: the snapshot, the turn's changes, and the
/// rendered body of a change message.
final class KeySet {
    /// One change set as far as these keys are in it.
    struct Batch {
        let revision: Int64
        let changes: [PropertyTable.Change]
    }

    /// A rendered `changes` object and the revision that it leads to.
    struct Body {
        let revision: Int64
        let bytes: [UInt8]
    }

    let selection: KeySelection
    private let table: PropertyTable

    // MARK: Observers

    private(set) var subscriptions: [Subscription] = []
    /// This turn's change sets, oldest first.
    private(set) var turn: [Batch] = []
    private var bodies: [(start: Int, end: Int, withOld: Bool, body: Body?)] = []

    // MARK: Snapshot

    private var keys: [String] = []
    private var keysVersion = -1
    private var snapshotText: JSONText?
    private var snapshotRevision: Int64 = -1
    private var readingText: JSONText?
    private var readingRevision: Int64 = -1

    init(_ selection: KeySelection, _ table: PropertyTable) {
        self.selection = selection
        self.table = table
    }

    /// The result of `get`: the revision and the `values` object; rendered once a revision.
    func reading() -> JSONText {
        let revision = table.revision
        if let readingText, readingRevision == revision { return readingText }
        let values = snapshot()
        var text = JSONText()
        text.reserve(values.bytes.count + 48)
        text.append(raw: "{\"revision\":")
        text.append(number: revision)
        text.append(raw: ",\"values\":")
        text.append(values)
        text.append(raw: "}")
        readingText = text
        readingRevision = revision
        return text
    }

    /// The `values` object; the table must hold no changes that were not taken.
    func snapshot() -> JSONText {
        if let snapshotText, snapshotRevision == table.revision { return snapshotText }
        if keysVersion != table.keysVersion {
            keys = table.keys.filter { selection.contains($0) }
            keysVersion = table.keysVersion
        }
        let text = JSONText.object { text in
            for key in keys {
                guard let value = table.text(of: key) else { continue }
                text.member(key)
                text.append(value)
            }
        }
        snapshotText = text
        snapshotRevision = table.revision
        return text
    }

    // MARK: Changes

    func add(_ subscription: Subscription) {
        subscription.seen = turn.count
        subscriptions.append(subscription)
    }

    func remove(_ subscription: Subscription) {
        subscriptions.removeAll { $0 === subscription }
    }

    /// Takes its part of a change set; true when this is the turn's first.
    func note(_ changes: [PropertyTable.Change], revision: Int64) -> Bool {
        let own = selection.isAll ? changes : changes.filter { selection.contains($0.key) }
        guard !own.isEmpty else { return false }
        turn.append(Batch(revision: revision, changes: own))
        return turn.count == 1
    }

    /// The body of the turn's changes from a place on; nil when nothing differs. Rendered once for all.
    func body(from start: Int, withOld: Bool) -> Body? {
        let end = turn.count
        if let known = bodies.first(where: { $0.start == start && $0.end == end && $0.withOld == withOld }) {
            return known.body
        }
        let body = render(start, withOld)
        bodies.append((start, end, withOld, body))
        return body
    }

    private func render(_ start: Int, _ withOld: Bool) -> Body? {
        guard let last = turn.last, start < turn.count else { return nil }
        if start == turn.count - 1 {
            return Body(revision: last.revision, bytes: PendingChanges.body(last.changes, withOld: withOld))
        }
        var merged = PendingChanges()
        for batch in turn[start...] { merged.merge(batch.changes, revision: batch.revision) }
        return merged.isEmpty ? nil : Body(revision: last.revision, bytes: merged.body(withOld: withOld))
    }

    /// Everybody has had the turn's changes or holds them on its own.
    func endTurn() {
        turn.removeAll()
        bodies.removeAll()
        for subscription in subscriptions { subscription.seen = 0 }
    }
}
