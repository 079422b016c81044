import Base
import Loader
import Store

/// A download as it stands: what is kept of it, what is under way, and what is told of it. Control thread.
final class Download {
    /// What is told of one changes no oftener than that.
    private static let interval = Duration.milliseconds(250)

    /// As it is kept.
    private(set) var row: CatalogueDownload
    let source: Int64
    /// Headers that go with it, as with its source.
    let headers: [(String, String)]
    /// False for what may not lead to this machine.
    let mayLeadToThisMachine: Bool
    /// The reader that wants it; nil while nothing is under way.
    var bytes: (any ByteSource)?
    /// Tells one attempt's events from the next one's.
    var attempt = 0
    var contentType: String?
    /// True while what came is looked at.
    var isChecking = false
    /// True once what is here of it is kept from being evicted.
    var isPinned = false

    private let table: PropertyTable
    private let loop: EventLoop
    private var isArmed = false

    init(
        _ row: CatalogueDownload, of item: CatalogueItem, from source: CatalogueSource?, table: PropertyTable,
        loop: EventLoop
    ) {
        self.row = row
        self.source = item.source
        headers = source?.headerFields(for: row.url) ?? []
        mayLeadToThisMachine = source?.mayLeadToThisMachine ?? true
        self.table = table
        self.loop = loop
        publish()
    }

    var id: Int64 { row.item }

    /// Changes what is kept, and tells it at once.
    func change(_ body: (inout CatalogueDownload) -> Void) {
        body(&row)
        publish()
    }

    /// Notes how far it is; told a few times a second.
    func note(received: Int64, expected: Int64?) {
        row.received = received
        row.expected = expected
        guard !isArmed else { return }
        isArmed = true
        publish()
        loop.schedule(after: Self.interval) { [weak self] in
            guard let self, isArmed else { return }
            isArmed = false
            publish()
        }
    }

    /// Ends what is under way; what is here stays.
    func stop() {
        attempt += 1
        isChecking = false
        bytes?.close()
        bytes = nil
    }

    /// Takes its properties away.
    func retire() {
        stop()
        isArmed = false
        for name in Self.names { table.remove("downloads.\(id).\(name)") }
    }

    private static let names = ["state", "received", "expected", "fraction", "error", "byRule"]

    private func publish() {
        table.set("downloads.\(id).state", row.state.name)
        table.set("downloads.\(id).received", row.received)
        table.set("downloads.\(id).expected", row.expected)
        table.set("downloads.\(id).fraction", fraction)
        table.set("downloads.\(id).byRule", row.isByRule)
        table.set("downloads.\(id).error", row.failure.map { SourceError(failure: $0) })
    }

    private var fraction: Double? {
        if row.state == .finished { return 1 }
        guard let expected = row.expected, expected > 0 else { return nil }
        // Thousandths are what a bar shows.
        return (Double(min(row.received, expected)) / Double(expected) * 1000).rounded(.down) / 1000
    }
}

extension CatalogueDownload.State {
    /// The names of the protocol.
    var name: String {
        switch self {
        case .queued: "queued"
        case .running: "running"
        case .finished: "finished"
        case .failed: "failed"
        }
    }
}
