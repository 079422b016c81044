import Base
import Player
import Store

extension SavedEntry {
    /// An entry of the queue as it is kept.
    init(_ entry: QueueEntry) {
        self.init(id: entry.id, url: entry.url)
        title = entry.title
        isTitleGiven = entry.isTitleGiven
        artist = entry.artist
        album = entry.album
        duration = entry.duration
        source = entry.source
        storeID = entry.storeID
        errorCode = entry.error?.failure.code.rawValue
        errorMessage = entry.error?.failure.message
        errorAt = entry.error?.at
        headers = entry.headers.namesAndValues
        mirrors = entry.mirrors
        isBound = entry.origin?.mayLeadToThisMachine == false
    }

    /// The entry of the queue that was kept.
    var queueEntry: QueueEntry {
        var item = NewEntry(
            url: url, title: isTitleGiven ? title : nil, headers: headers.headerFields, mirrors: mirrors)
        if isBound { item.origin = .forgotten }
        var entry = QueueEntry(id: id, item)
        entry.title = title
        if artist != nil { entry.artist = artist }
        if album != nil { entry.album = album }
        if duration != nil { entry.duration = duration }
        if source != nil { entry.source = source }
        if storeID != nil { entry.storeID = storeID }
        if let code = errorCode {
            let failure = PlaybackFailure(
                PlaybackFailure.Code(rawValue: code) ?? .internal, errorMessage ?? "")
            entry.error = EntryError(failure, at: errorAt ?? 0)
        }
        return entry
    }
}

extension QueueTable {
    /// Writes an edit of the queue. Store thread.
    func apply(_ edit: QueueEdit) throws(StoreError) {
        switch edit {
        case .insert(let entries, let index): try insert(entries.map { SavedEntry($0) }, at: index)
        case .remove(let ids): try remove(ids)
        case .move(let ids, let index): try move(ids, to: index)
        case .reorder(let ids): try reorder(ids)
        case .update(let entry): try update(SavedEntry(entry))
        case .clear: try clear()
        }
    }
}
