import Base
import Player
import Store

/// Does what the rules of sources say: after each refresh, when something was heard, when hours begin and end.
/// Control thread; the items are looked at on the search thread.
final class DownloadKeeper {
    /// What happens within this time is looked at once.
    private static let patience = Duration.milliseconds(250)

    private unowned let service: StoreService
    private let zone = Alarm.Zone.here
    private var clock: WallClockTimer?
    private var due: Set<Int64> = []
    /// Sources that are looked at now; those that are due again meanwhile wait.
    private var busy: Set<Int64> = []
    private var isArmed = false
    /// False until it is known what is here: everything would be fetched again.
    private var isStarted = false
    /// What was heard when it was looked last: it is not removed while it is.
    private var inUse: Int64?

    init(service: StoreService) { self.service = service }

    /// Begins, once sources and downloads are known.
    func start() {
        do throws(SystemError) {
            clock = try WallClockTimer(on: service.loop) { [unowned self] in hoursChanged() }
        } catch {
            Log.warning("store", "rules have no clock: \(error)")
        }
        isStarted = true
        noteAll()
        armClock()
    }

    /// The rules of a source: its own, or else those of the list that named it.
    func rules(of id: Int64) -> DownloadRules? {
        guard let source = service.sources[id] else { return nil }
        return source.rules ?? source.row.parent.flatMap { service.sources[$0]?.rules }
    }

    /// Something of a source has changed that rules may look at.
    func note(_ id: Int64) {
        guard rules(of: id) != nil else { return }
        due.insert(id)
        arm()
    }

    /// Something has changed, and it is not known where.
    func noteAll() { for id in service.sources.keys { note(id) } }

    /// Something is heard, or not heard, from now on; that is looked at once it is in the catalogue.
    func noteHeard() {
        service.catalogue.write { [mailbox = service.mailbox] _ in mailbox.post { $0.keeper.noteAll() } }
    }

    /// The rules of a source, and of those that it named, are others now.
    func rulesChanged(of id: Int64) {
        for source in service.sources.values where source.id == id || source.row.parent == id {
            if rules(of: source.id) == nil { dropUnfinished(of: source.id) } else { note(source.id) }
        }
        hoursChanged()
    }

    /// Another item may be heard: what rules do not want any more can go now.
    func follow() {
        let current = service.player.queue.current?.storeID
        guard current != inUse else { return }
        let before = inUse.flatMap { service.downloads.all[$0] }
        inUse = current
        if let before, before.row.isByRule { note(before.source) }
    }

    /// Whether a download may be fetched now.
    func isOpen(_ download: Download) -> Bool {
        guard download.row.isByRule, let hours = rules(of: download.source)?.hours else { return true }
        return hours.isOpen(at: service.loop.unixTime, zone)
    }

    // MARK: Looking

    private func arm() {
        guard isStarted, !isArmed else { return }
        isArmed = true
        service.loop.schedule(after: Self.patience) { [weak self] in
            guard let self else { return }
            isArmed = false
            let ready = due.subtracting(busy)
            due.subtract(ready)
            for id in ready.sorted() { look(at: id) }
        }
    }

    private func look(at id: Int64) {
        guard let rules = rules(of: id), let lastSuccess = service.sources[id]?.row.lastSuccess else {
            return
        }
        busy.insert(id)
        let (now, held, inUse) = (service.loop.unixTime, held(of: id), inUse)
        service.catalogue.read { [mailbox = service.mailbox] outcome in
            var plan = DownloadRules.Plan()
            var items: [CatalogueItem] = []
            do throws(StoreError) {
                let reader = try outcome.get()
                plan = rules.plan(
                    items: try reader.candidates(of: id, atMost: Int64(DownloadRules.most)), held: held,
                    inUse: inUse, now: now, lastSuccess: lastSuccess)
                for id in plan.fetch { if let item = try reader.item(id) { items.append(item) } }
            } catch {
                Log.warning("store", "rules cannot be followed: \(error)")
            }
            let (found, remove) = (items, plan.remove)
            mailbox.post { $0.keeper.take(id, rules, fetch: found, remove: remove) }
        }
    }

    private func held(of id: Int64) -> [Int64: DownloadRules.Held] {
        service.downloads.all.filter { $0.value.source == id }.mapValues { download in
            let isKnown = download.row.state == .finished || download.row.expected != nil
            return .init(
                isByRule: download.row.isByRule,
                bytes: isKnown ? download.row.expected ?? download.row.received : nil)
        }
    }

    /// Does what the plan for a source says, if its rules are still the same.
    func take(
        _ id: Int64, _ rules: DownloadRules, fetch items: [CatalogueItem], remove: Set<Int64>
    ) {
        busy.remove(id)
        if due.contains(id) { arm() }
        // They were changed meanwhile: it is looked again.
        guard rules == self.rules(of: id) else { return }
        for item in remove where service.downloads.all[item]?.row.isByRule == true {
            _ = service.downloads.delete(item)
        }
        service.downloads.add(byRule: items)
        armClock()
    }

    /// Without rules nothing more is fetched; what is here stays.
    private func dropUnfinished(of id: Int64) {
        for download in service.downloads.all.values
        where download.source == id && download.row.isByRule && download.row.state != .finished {
            _ = service.downloads.delete(download.id)
        }
    }

    // MARK: Hours

    /// Hours have begun or ended, or the clock was set.
    private func hoursChanged() {
        service.downloads.pauseClosed()
        service.downloads.startWaiting()
        armClock()
    }

    /// Wakes when hours of something that waits, or is under way, change next.
    private func armClock() {
        let now = service.loop.unixTime
        let sources = Set(
            service.downloads.all.values.filter {
                $0.row.isByRule && ($0.row.state == .queued || $0.row.state == .running)
            }.map(\.source))
        clock?.set(at: sources.compactMap { rules(of: $0)?.hours?.nextChange(after: now, zone) }.min())
    }
}
