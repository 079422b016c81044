import Base

/// Changes that wait for one subscription, merged per key: the newest `new`, the oldest `old`.
///
/// Holds a key once and no key whose value came back, so it is bounded by the keys that there are.
struct PendingChanges {
    private struct Entry {
        let old: JSONText?
        var new: JSONText?
    }

    private var entries: [String: Entry] = [:]
    /// The newest revision that is part of it.
    private(set) var revision: Int64 = 0

    var isEmpty: Bool { entries.isEmpty }

    mutating func merge(_ changes: [PropertyTable.Change], revision: Int64) {
        self.revision = revision
        for change in changes {
            let oldest = entries[change.key].map(\.old) ?? change.old
            entries[change.key] = oldest == change.new ? nil : Entry(old: oldest, new: change.new)
        }
    }

    /// The `changes` object.
    func body(withOld: Bool) -> [UInt8] {
        JSONText.object { text in
            for key in entries.keys.sorted() {
                guard let entry = entries[key] else { continue }
                text.member(key)
                PendingChanges.write(old: withOld ? entry.old : nil, new: entry.new, to: &text)
            }
        }.bytes
    }

    /// The `changes` object of one set that needs no merging.
    static func body(_ changes: [PropertyTable.Change], withOld: Bool) -> [UInt8] {
        JSONText.object { text in
            for change in changes {
                text.member(change.key)
                write(old: withOld ? change.old : nil, new: change.new, to: &text)
            }
        }.bytes
    }

    private static func write(old: JSONText?, new: JSONText?, to text: inout JSONText) {
        if let new {
            text.append(raw: "{\"new\":")
            text.append(new)
        } else {
            text.append(raw: "{\"removed\":true")
        }
        if let old {
            text.append(raw: ",\"old\":")
            text.append(old)
        }
        text.append(raw: "}")
    }
}
