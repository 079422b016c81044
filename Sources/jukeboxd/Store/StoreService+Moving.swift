import Base
import Loader
import Store

/// Publishers who say where their document is from now on; its items stay.
extension StoreService {
    /// False for what stays where it is. What a list names stays where the list says: it would be added anew else.
    func canMove(_ row: CatalogueSource, to url: String) -> Bool {
        url != row.url && row.parent == nil && LocalPath.bytes(row.url) == nil && LocalPath.bytes(url) == nil
            && !sources.values.contains { $0.row.url == url }
    }

    /// From now on it is asked for there.
    func move(_ row: inout CatalogueSource, to url: String) {
        Log.info("store", "\(URLMask.shown(row.url)) has moved to \(URLMask.shown(url))")
        row = Self.moved(row, to: url)
    }

    private static func moved(_ row: CatalogueSource, to url: String) -> CatalogueSource {
        var moved = row
        // A password is for the origin to which it was given.
        if Origin(of: url) != Origin(of: row.url) { moved.headers = [] }
        moved.url = url
        moved.place = nil
        moved.forgetEdition()
        return moved
    }

    /// Looks what is at the place that a document names as its new one, and follows it if that is such a document, too:
    /// publishers mistype, and their new hosts begin late.
    func tryMove(of source: SourceState, to url: String) {
        guard canMove(source.row, to: url) else { return }
        let id = source.id
        let there = Self.moved(source.row, to: url)
        let request = DocumentRequest(
            source: there, bytes: loader.openDocument(of: there, events: { _ in }), patience: Guarded(nil))
        _ = try? documents.read(request) { [mailbox] outcome in
            mailbox.post { $0.tried(id, url, outcome) }
        }
    }

    private func tried(_ id: Int64, _ url: String, _ outcome: DocumentOutcome) {
        guard let source = sources[id], canMove(source.row, to: url) else { return }
        guard case .read(let found, _, _, _) = outcome, found.kind == source.row.kind else {
            return Log.info(
                "store",
                "\(URLMask.shown(source.row.url)) says that it is at \(URLMask.shown(url)), but it is not")
        }
        move(&source.row, to: url)
        keep(source)
    }
}
