import Base
import CCurl
import Synchronization

/// The loop of the loader's thread: curl's transfers, the resources' deadlines, what others ask.
@safe final class TransferLoop {
    let door: LoaderThread
    let names = NameCheck()
    /// Writes what live streams keep on disk.
    let disk = JobQueue(name: "jb-shift")
    // Safe because this owner, confined to one thread, frees it after all transfers.
    private let multi: UnsafeMutableRawPointer
    private var resources: [ObjectIdentifier: Resource] = [:]
    /// By their handle's address.
    private var transfers: [Int: Transfer] = [:]
    /// Open while something waits that the network's return would help.
    private var network: NetworkWatch?
    /// True while what nobody reads is held to a rate.
    private var isLimited = false
    /// For a station's first URL, the one that gave sound last.
    private var workedLast: [String: RemoteURL] = [:]
    /// Origins that refused Basic and want Digest.
    private var digestOrigins: Set<Origin> = []
    /// Handles that know their server's nonce, by origin and user, so that the next request need not ask for it.
    private var digestHandles: [String: CurlHandle] = [:]

    /// Loads and initialises curl; nil when that fails.
    init?(_ door: LoaderThread) {
        guard jb_curl_start() == CURLE_OK, let multi = unsafe jb_curl_multi_init() else { return nil }
        self.door = door
        unsafe self.multi = unsafe multi
        // Connections kept open for a next request; a seek is then one round trip.
        unsafe _ = jb_curl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, 8)
        unsafe door.setMulti(multi)
    }

    deinit {
        for transfer in transfers.values { unsafe jb_curl_multi_remove(multi, transfer.handle) }
        transfers = [:]
        unsafe jb_curl_multi_cleanup(multi)
    }

    /// Runs until the door says stop.
    func run() {
        while let due = door.takeDue() {
            for shared in due { attend(shared) }
            shareOut()
            unsafe jb_curl_multi_perform(multi)
            finishTransfers()
            watchNetworkFurther()
            let now = MonotonicTime.now
            for resource in Array(resources.values) { resource.checkDeadline(now) }
            wait()
        }
        unsafe door.setMulti(nil)
        for resource in resources.values {
            resource.cancel()
            resource.shared.release()
        }
    }

    private func wait() {
        let isNews = unsafe jb_curl_multi_poll(multi, network?.descriptor ?? -1, millisecondsToDeadline) != 0
        if isNews, network?.take() == true { networkCame(hasSlept: false) }
    }

    /// Gives each transfer of what nobody reads its part of the rate that is set.
    private func shareOut() {
        let rate = door.backgroundRate.load(ordering: .relaxed)
        guard rate > 0 || isLimited else { return }
        isLimited = rate > 0
        let background = resources.values.filter { $0.transfer != nil && $0.isBackground }
        let share = isLimited ? max(1, rate / Int64(max(1, background.count))) : 0
        for resource in resources.values { resource.transfer?.limit(resource.isBackground ? share : 0) }
    }

    private func networkCame(hasSlept: Bool) {
        for resource in Array(resources.values) { resource.networkCame(hasSlept: hasSlept) }
    }

    private func watchNetworkFurther() {
        if door.takeWakeUp() { networkCame(hasSlept: true) }
        if network != nil, !resources.values.contains(where: \.awaitsNetwork) { network = nil }
    }

    private func attend(_ shared: SharedResource) {
        let id = ObjectIdentifier(shared)
        let isClosed = shared.withState { state in
            state.isAttentionDue = false
            return state.readers.isEmpty
        }
        if isClosed {
            resources.removeValue(forKey: id)?.cancel()
            shared.release()
        } else if let resource = resources[id] {
            resource.attend()
        } else {
            let resource = Resource(shared, self)
            resources[id] = resource
            resource.open()
        }
    }

    /// Waits without a limit when nothing has a deadline: curl's own timers count by themselves.
    private var millisecondsToDeadline: Int32 {
        guard let next = resources.values.compactMap(\.deadline).min() else { return Int32.max }
        let wait = max(0, (next - .now).nanoseconds)
        return Int32(clamping: (wait + 999_999) / 1_000_000)
    }

    private func finishTransfers() {
        var result = CURLE_OK
        while let handle = unsafe jb_curl_finished(multi, &result) {
            guard let transfer = transfers[Int(bitPattern: handle)] else { continue }
            transfer.tellHeldHead()
            let outcome = transfer.outcome(result)
            cancel(transfer)
            transfer.receiver?.transfer(transfer, ended: outcome)
        }
    }

    // MARK: For resources

    /// Runs the programs that tell tokens and links.
    var commands: CommandBoard { door.commands }

    /// Asks a program; the resource is looked at when the answer is here.
    func ask(_ question: CommandBoard.Question, for shared: SharedResource) -> CommandBoard.Ticket {
        commands.ask(question) { [door] in door.attend(shared) }
    }

    /// True for an origin that is known to want Digest.
    func wantsDigest(_ origin: Origin) -> Bool { digestOrigins.contains(origin) }

    /// Notes that an origin wants Digest.
    func noteDigest(_ origin: Origin) { digestOrigins.insert(origin) }

    /// A handle for a request that is authorized by Digest, one that has its nonce if there is one.
    func handle(for request: LoadingRequest) -> CurlHandle? {
        request.digestName.flatMap { digestHandles.removeValue(forKey: $0) } ?? CurlHandle()
    }

    /// Begins a transfer.
    func start(_ transfer: Transfer) {
        transfer.count = { [door] in door.received.add(Int64($0), ordering: .relaxed) }
        unsafe transfers[Int(bitPattern: transfer.handle)] = transfer
        unsafe jb_curl_multi_add(multi, transfer.handle)
    }

    /// Ends a transfer without a word to its receiver; not from within a callback of curl.
    func cancel(_ transfer: Transfer) {
        guard unsafe transfers.removeValue(forKey: Int(bitPattern: transfer.handle)) != nil else { return }
        unsafe jb_curl_multi_remove(multi, transfer.handle)
        guard let name = transfer.request.digestName else { return }
        if digestHandles.count >= 8 { digestHandles = [:] }
        digestHandles[name] = transfer.release()
    }

    /// Hears of the network from now on, for as long as a resource waits for it.
    func watchNetwork() {
        guard network == nil else { return }
        do throws(SystemError) {
            network = try NetworkWatch()
        } catch {
            Log.debug("loader", "the network cannot be watched: \(error)")
        }
    }

    /// The URL of a station that gave sound last; nil when none did.
    func worked(_ station: RemoteURL) -> RemoteURL? { workedLast[station.request] }

    /// Notes that this URL of a station gives sound.
    func remember(_ url: RemoteURL, for station: RemoteURL) {
        // Far more stations than anybody listens to in a run of the daemon.
        if workedLast.count >= 256 { workedLast.removeAll() }
        workedLast[station.request] = url
    }
}
