import Base
import Store

/// A source as it is told.
struct SourceText: JSONRepresentable {
    private let row: CatalogueSource
    private let status: SourceState.Status
    private let rules: DownloadRules?
    private var items: Int64 = 0
    private var unheard: Int64 = 0
    private var newestPicture: String?

    init(_ source: SourceState) {
        row = source.row
        status = source.status
        rules = source.rules
    }

    var id: Int64 { row.id }

    /// The same with how many items it has, and the picture of the newest in place of its own.
    func with(_ counts: (items: Int64, unheard: Int64)?, picture: String?) -> SourceText {
        var copy = self
        copy.newestPicture = picture
        (copy.items, copy.unheard) = counts ?? (0, 0)
        return copy
    }

    func write(to text: inout JSONText) {
        text.object { text in
            text.member("id", row.id)
            text.member("url", URLMask.shown(row.url))
            text.member("kind", row.kind?.rawValue)
            text.member("title", row.shownTitle)
            text.member("summary", row.summary)
            text.member("author", row.author)
            text.member("artwork", (row.picture ?? newestPicture).map { URLMask.shown($0) })
            text.member("parent", row.parent)
            text.member("status", status.rawValue)
            text.member("items", items)
            text.member("unheard", unheard)
            text.member("lastSuccess", row.lastSuccess)
            text.member("nextRefresh", row.nextRefresh)
            text.member("error", row.failure.map { SourceError(failure: $0) })
            text.member("rules", rules)
        }
    }
}
