import Base
import Loader
import Store

/// Fetches covers in the background after a refresh, so that they are here when somebody looks: the newest items' of
/// each source, one after the other, unhurried, and never while what is heard needs the network. Control thread.
final class CoverKeeper {
    /// Items of a source that are looked at after a refresh.
    private static let mostItems: Int64 = 100
    /// Covers that wait at most; what comes then is found when it is asked for.
    private static let mostWaiting = 2_000
    /// Items of which it is remembered that they were looked at.
    private static let mostSeen = 50_000
    /// Between two covers.
    private static let interval = Duration.milliseconds(100)
    /// Until it is looked again whether what is heard has enough.
    private static let calm = Duration.seconds(5)

    private unowned let service: StoreService
    private var waiting: [CatalogueItem] = []
    private var seen: Set<Int64> = []
    private var isBusy = false

    init(service: StoreService) { self.service = service }

    /// A source was read; its newest items' covers follow, but where bytes cost something.
    func note(_ source: SourceState) {
        guard source.isLocal || service.loader.fetchesAhead else { return }
        service.catalogue.read { [id = source.id, mailbox = service.mailbox] outcome in
            guard let reader = try? outcome.get(),
                let items = try? reader.newest(of: id, atMost: Self.mostItems)
            else { return }
            mailbox.post { $0.covers.add(items) }
        }
    }

    private func add(_ items: [CatalogueItem]) {
        if seen.count > Self.mostSeen { seen = [] }
        for item in items where waiting.count < Self.mostWaiting && seen.insert(item.id).inserted {
            waiting.append(item)
        }
        step()
    }

    private func step() {
        guard !isBusy, !waiting.isEmpty else { return }
        isBusy = true
        guard !service.isStarving, !service.offline.value else { return rest(for: Self.calm) }
        let item = waiting.removeFirst()
        service.pictures.find(service.wish(for: item), .thumb, inBackground: true) {
            [mailbox = service.mailbox] path in
            mailbox.post { service in
                if path != nil { service.noteReady(item.id) }
                service.covers.rest(for: Self.interval)
            }
        }
    }

    private func rest(for duration: Duration) {
        service.loop.schedule(after: duration) { [weak self] in
            guard let self else { return }
            isBusy = false
            step()
        }
    }
}
