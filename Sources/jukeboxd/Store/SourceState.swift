import Base
import Store

/// A source as it stands: what is kept of it, and what happens to it now. Control thread.
final class SourceState {
    /// The names of the protocol.
    enum Status: String {
        case uninitialized, loading, ready, failed
    }

    /// As it is kept.
    var row: CatalogueSource { didSet { publish() } }
    /// True from when a refresh begins until it is over.
    var isLoading = false { didSet { publish() } }
    /// True as long as each of its folders is watched.
    var isWatched = true
    /// True while its document is fetched.
    var isFetching = false
    /// True when it is to be refreshed once more after that.
    var isDueAgain = false
    /// Parts of a folder that are to be read.
    var dueParts: Set<[UInt8]> = []
    /// What is under way, to be called off with the source.
    var cancel: () -> Void = {}
    var progress: Progress? { didSet { publish() } }
    /// What is downloaded of it by itself; nil for nothing.
    var rules: DownloadRules? { didSet { publish() } }

    /// How far a refresh has come.
    struct Progress: Equatable, JSONRepresentable {
        var items: Int
        /// 0 to 1; nil where nobody knows how many there will be.
        var fraction: Double?

        func write(to text: inout JSONText) {
            text.object { text in
                text.member("items", items)
                text.member("fraction", fraction)
            }
        }
    }

    private let table: PropertyTable

    init(_ row: CatalogueSource, table: PropertyTable) {
        self.row = row
        self.table = table
        rules = row.rules.flatMap { DownloadRules(kept: $0) }
        publish()
    }

    var id: Int64 { row.id }

    var status: Status {
        if isLoading { return .loading }
        if row.failure != nil { return .failed }
        return row.lastSuccess == nil ? .uninitialized : .ready
    }

    /// True for what lies on this machine.
    var isLocal: Bool { LocalPath.bytes(row.url) != nil }

    private func publish() {
        table.set("sources.\(id).status", status.rawValue)
        table.set("sources.\(id).progress", isLoading ? progress : nil)
        table.set("sources.\(id).error", row.failure.map { SourceError(failure: $0) })
        table.set("sources.\(id).rules", rules)
    }

    /// Takes its properties away.
    func retire() {
        cancel()
        for name in ["status", "progress", "error", "rules"] { table.remove("sources.\(id).\(name)") }
    }
}

/// Why a source could not be read when that was tried last.
struct SourceError: JSONRepresentable {
    let failure: CatalogueSource.Failure

    func write(to text: inout JSONText) {
        text.object { text in
            text.member("code", failure.code)
            text.member("message", failure.message)
        }
    }
}
