import Base
import Loader
import Player
import Store

/// Sees to it that items which were heard count as available while the cache has all of them. Control thread; the disk is
/// looked at on the threads of catalogue and cache.
final class AvailabilityKeeper {
    /// What changes within this time is looked at once.
    private static let patience = Duration.milliseconds(500)

    private unowned let service: StoreService
    private var isArmed = false
    private var isBusy = false
    private var isDueAgain = false
    /// What was heard when it was looked last, and whether all of it was here.
    private var latest: (item: Int64?, isCached: Bool) = (nil, false)

    init(service: StoreService) { self.service = service }

    /// Another item may be heard, or all of it may be here now.
    func follow() {
        let item = service.player.queue.current?.storeID
        let isCached = item != nil && service.table.text(of: "item.cached")?.string == "true"
        guard (item, isCached) != latest else { return }
        latest = (item, isCached)
        note()
    }

    /// Something came into the cache, or went.
    func note() {
        guard service.catalogue.isKept, service.loader.cache != nil else { return }
        guard !isBusy else {
            isDueAgain = true
            return
        }
        guard !isArmed else { return }
        isArmed = true
        service.loop.schedule(after: Self.patience) { [weak self] in
            self?.isArmed = false
            self?.look()
        }
    }

    private func look() {
        guard let cache = service.loader.cache else { return }
        isBusy = true
        let current = latest.item
        service.catalogue.write { [catalogue = service.catalogue, mailbox = service.mailbox] outcome in
            let heard = (try? outcome.get().items.heardElsewhere(besides: current)) ?? []
            let urls = Set(heard.map(\.url))
            guard !urls.isEmpty else { return mailbox.post { $0.availability.done(hasChanged: false) } }
            cache.findWhole(of: Array(urls)) { found in
                let changed = heard.filter { $0.isAvailable != found.contains($0.url) }
                guard !changed.isEmpty else {
                    return mailbox.post { $0.availability.done(hasChanged: false) }
                }
                catalogue.change({ (file) throws(StoreError) in
                    for item in changed { try file.items.setAvailable(item.id, !item.isAvailable) }
                }) { _ in mailbox.post { $0.availability.done(hasChanged: true) } }
            }
        }
    }

    private func done(hasChanged: Bool) {
        isBusy = false
        if hasChanged { service.noteChange() }
        guard isDueAgain else { return }
        isDueAgain = false
        note()
    }
}
