import Base
import Loader
import Player
import Store

/// Documents of sources: fetched a few at a time, read and taken in on other threads.
extension StoreService {
    private static let mostAtATime = 4

    /// Begins to load those whose turn it is.
    func loadWaiting() {
        var running = sources.values.count { $0.isFetching }
        while running < Self.mostAtATime, !waiting.isEmpty {
            guard let source = sources[waiting.removeFirst()] else { continue }
            running += 1
            load(source)
        }
    }

    private func load(_ source: SourceState) {
        let patience = Guarded<Double?>(nil)
        let bytes = loader.openDocument(of: source.row) { event in
            if case .reconnecting(_, let at, _) = event { patience.withLock { $0 = at } }
        }
        source.isFetching = true
        source.cancel = { bytes.close() }
        let id = source.id
        let request = DocumentRequest(source: source.row, bytes: bytes, patience: patience)
        do throws(SystemError) {
            try documents.read(request) { [mailbox] outcome in
                mailbox.post { $0.take(outcome, of: id) }
            }
        } catch {
            take(.failed(PlaybackFailure(.internal, error.reason), retryAt: nil), of: id)
        }
    }

    private func take(_ outcome: DocumentOutcome, of id: Int64) {
        guard let source = sources[id] else { return loadWaiting() }
        source.isFetching = false
        switch outcome {
        case .unchanged: finish(source, nil)
        case .failed(let failure, let retryAt):
            finish(source, .init(code: failure.code.rawValue, message: failure.message), retryAt: retryAt)
        case .read(let row, let publication, let items, let place):
            takeIn(source, row, publication, items, movedTo: place)
        }
        loadWaiting()
    }

    /// Brings what was read into the catalogue.
    private func takeIn(
        _ source: SourceState, _ read: CatalogueSource, _ publication: Publication, _ items: [ItemToKeep],
        movedTo place: String?
    ) {
        let id = source.id
        // What was changed meanwhile stays; the rest is as the document tells.
        var row = read
        row.givenTitle = source.row.givenTitle
        // It came from there: nothing is to be tried.
        if let place, canMove(row, to: place) { move(&row, to: place) }
        source.row = row
        let now = loop.unixTime
        row.lastSuccess = now
        row.failure = nil
        source.cancel = {}
        catalogue.refresh(
            CatalogueRefresh(row, items, at: now),
            progress: { [mailbox] refresh in
                let (progress, hasChanged) = (refresh.progress, refresh.outcome.hasChanged)
                mailbox.post { service in
                    service.noteProgress(id, items: items.count, fraction: progress)
                    if hasChanged { service.noteChange() }
                }
            },
            done: { [mailbox] outcome in
                mailbox.post { service in
                    guard let source = service.sources[id] else { return }
                    if case .failure(let error) = outcome {
                        // It is read again, whatever its server says of its edition.
                        source.row.forgetEdition()
                        return service.finish(source, .init(code: "internal", message: "\(error)."))
                    }
                    service.addOutlines(of: source, publication)
                    service.finish(source, nil)
                    if let url = publication.newURL { service.tryMove(of: source, to: url) }
                }
            })
    }

    /// Adds the sources that a list of them names; what it does not name any more stays.
    private func addOutlines(of source: SourceState, _ publication: Publication) {
        let known = Set(sources.values.map(\.row.url))
        for outline in publication.outlines where !known.contains(outline.url) {
            var new = CatalogueSource(url: outline.url)
            new.title = outline.title
            new.parent = source.id
            // What its list's origin got, it gets too, if it lies there.
            if Origin(of: outline.url) == Origin(of: source.row.url) { new.headers = source.row.headers }
            let row = new
            catalogue.change({ (file) throws(StoreError) in try file.sources.add(row) }) {
                [mailbox] outcome in
                guard case .success(let id) = outcome else { return }
                mailbox.post { $0.take(row, as: id) }
            }
        }
    }
}

extension Loader {
    /// Opens the document of a source, if it is another one than was read last.
    func openDocument(
        of source: CatalogueSource, events: @escaping @Sendable (SourceEvent) -> Void
    ) -> any ByteSource {
        // A folder may be as it was while those below it are not.
        let isFolder = source.kind == .webdav
        let edition = DocumentEdition(
            entityTag: isFolder ? nil : source.entityTag, lastModified: isFolder ? nil : source.lastModified)
        return open(
            url: source.url, headers: source.headerFields(for: source.url), document: edition, events: events)
    }

    /// Opens a folder below one that is a source.
    func openFolder(_ url: String, of source: CatalogueSource) -> any ByteSource {
        open(
            url: url, headers: source.headerFields(for: url),
            mayLeadToThisMachine: source.mayLeadToThisMachine,
            isFolder: true, events: { _ in })
    }
}

extension CatalogueSource {
    /// Names and values of the headers that go with a request: its own, to its own origin.
    func headerFields(for url: String) -> [(String, String)] {
        Origin(of: url) == Origin(of: self.url) ? headers.headerPairs : []
    }
}
