import Base
import Decode
import Loader
import Output
import Player

/// Joins loader, decode thread and outputs into the one thing that a `Player` drives. Control thread.
final class Engine: PlaybackEngine {
    let outputs: OutputBank
    let loader: Loader
    private let decoder: DecodeThread
    let mailbox: Mailbox<EngineMessage>
    private let aheadLimit: Int64
    let lists: ListThread
    let streams = HLSThread()
    private(set) lazy var listQueue = ListQueue(lists) { [unowned self] in source(for: $0, token: -1) }
    /// What happened to the URLs that were opened.
    let journal: Journal
    /// Who hears the events; set once, before the first call.
    var hear: (EngineEvent) -> Void = { _ in }
    /// Hears what outputs tell, for their properties.
    var hearOutput: (OutputEvent) -> Void = { _ in }
    /// Told when bytes may have been received.
    var hearTraffic: () -> Void = {}

    /// What the configuration says of stations; for what is opened from now on.
    var stations = Stations()
    /// In dB, added to the gains of ReplayGain.
    var preamp = 0.0
    /// What was measured of how loud things are, in this run and earlier ones.
    var loudness = LoudnessMemory()
    /// Told what was measured anew.
    var hearLoudness: (Int64, MeasuredLoudness) -> Void = { _, _ in }

    // MARK: What is open
    var current: OpenItem?
    var next: OpenItem?
    /// What rests while another is heard.
    var aside: OpenItem?
    /// What is heard over the current one.
    var announced: OpenItem?
    /// What is loaded before it is prepared.
    private var ahead: (any ByteSource)?
    /// Stands for it in what its source tells.
    private static let aheadToken = -2
    var line = HeardLine()
    var ring: SampleRing?
    var marks: [Int: MarkMeaning] = [:]
    var seekSerial: Int?
    /// Outputs whose device is gone or does not open.
    var brokenSlots: Set<Int> = []

    /// Makes an engine whose threads start when they are needed. Throws when descriptors run out.
    init(loop: EventLoop, settings: LoaderSettings, outputs specs: [OutputSpec]) throws(SystemError) {
        let mailbox = try Mailbox<EngineMessage>()
        self.mailbox = mailbox
        let journal = Journal()
        self.journal = journal
        var settings = settings
        settings.journal = journal
        let loader = Loader(settings)
        self.loader = loader
        lists = ListThread(
            journal: journal, openFolder: { Self.openFolder($0, loader) },
            tell: { mailbox.post(.list(token: $0, $1)) })
        aheadLimit = Int64(settings.windowBytes - settings.retainedBytes) * 9 / 10
        decoder = DecodeThread { mailbox.post(.decode($0)) }
        outputs = try OutputBank(specs) { mailbox.post(.output($0)) }
        setSlots()
        try mailbox.deliver(on: loop) { [unowned self] in take($0) }
    }

    // MARK: PlaybackEngine

    func open(_ token: Int, _ item: PlayableItem, at seconds: Double) {
        // First the new one, so that the same URL once more goes on with what is being loaded of it.
        let opened = OpenItem(token: token, item, source: source(for: item, token: token), at: seconds)
        closeSources()
        current = opened
        seekSerial = nil
        decode(opened, at: seconds)
    }

    /// Gives the current item to the decode thread.
    func decode(_ item: OpenItem, at seconds: Double) {
        post(
            .open(
                DecodeItem(
                    token: item.token, source: item.source, startSeconds: seconds,
                    name: name(of: item.playable),
                    places: item.places, loudness: loudness(of: item.playable))))
    }

    /// Tells something of a source as if it came from there, after what is being done.
    func tellLater(_ event: SourceEvent, of token: Int) { mailbox.post(.source(token: token, event)) }

    func prepareNext(_ token: Int, _ item: PlayableItem) {
        cancelNext()
        let prepared = OpenItem(token: token, item, source: source(for: item, token: token))
        next = prepared
        post(
            .next(
                DecodeItem(
                    token: token, source: prepared.source, name: name(of: item), loudness: loudness(of: item)
                )))
    }

    func fetchAhead(_ item: PlayableItem?) {
        let isOfUse = item.map { loader.fetchesAhead && Loader.path(of: $0.url) == nil } ?? false
        let before = ahead
        ahead = item.flatMap { isOfUse ? source(for: $0, token: Self.aheadToken, isAhead: true) : nil }
        before?.close()
    }

    func cancelNext() {
        guard let prepared = next else { return }
        post(.next(nil))
        prepared.source.close()
        next = nil
        if current?.isHeardOut == true { mailbox.post(.settleEnd) }
    }

    func playNext() {
        guard let prepared = next else { return }
        current?.source.close()
        current = prepared
        next = nil
        prepared.goesOn()
        prepared.isInRing = false
        seekSerial = nil
        prepared.note(.open, "played at once, as it was prepared", journal)
        post(.skip(token: prepared.token))
    }

    func close() {
        post(.stop)
        closeSources()
        line.clear()
    }

    func announce(_ token: Int, _ item: PlayableItem, volumes: AnnouncementVolumes) {
        let opened = OpenItem(token: token, item, source: source(for: item, token: token))
        announced = opened
        let loudest = VolumeCurve.gain(percent: volumes.loudest)
        func share(_ percent: Double) -> Float {
            loudest > 0 ? VolumeCurve.gain(percent: percent) / loudest : 0
        }
        post(
            .announce(
                DecodeItem(
                    token: token, source: opened.source, name: name(of: item), loudness: loudness(of: item)),
                AnnouncementShares(
                    announcement: share(volumes.announcement), item: share(volumes.item))))
    }

    func endAnnouncement() {
        post(.endAnnouncement)
        announced?.source.close()
        announced = nil
    }

    func setRunning(_ isRunning: Bool) { outputs.setRunning(isRunning) }

    func seek(_ token: Int, to seconds: Double, serial: Int) {
        seekSerial = serial
        post(.seek(token: token, seconds: seconds))
    }

    func scan(_ token: Int, _ direction: ScanDirection) { post(.scan(token: token, direction)) }

    /// Ends all loading, for good, and waits until what is to be kept is on disk.
    func stopLoading(within patience: Duration) { loader.stop(within: patience) }

    func stopOutput() { outputs.stop() }

    func setSound(_ settings: SoundSettings) {
        var settings = settings
        settings.preamp = preamp
        post(.setSound(settings))
    }

    func setGain(percent: Double, isMuted: Bool) {
        outputs.setGain(isMuted ? 0 : VolumeCurve.gain(percent: percent))
    }

    // MARK: Outputs

    /// Switches an output on or off, also while playing.
    func setOutput(_ name: String, enabled: Bool) {
        perform("switch an output") { () throws(SystemError) in _ = try outputs.setEnabled(name, enabled) }
        setSlots()
    }

    /// Lets a reader into the ring that is played.
    func attach(slot: Int) { post(.attach(slot: slot)) }

    private func setSlots() {
        var bits: UInt8 = 0
        for slot in outputs.enabledSlots where slot < 8 { bits |= 1 << UInt8(slot) }
        post(.setSlots(bits))
    }

    // MARK: Help

    /// Takes the credentials for what is opened from now on.
    func setCredentials(_ store: CredentialStore) { loader.setCredentials(store) }

    /// All bytes that came over the network.
    var receivedBytes: Int64 { loader.receivedBytes }

    /// The machine was asleep: connections from before are made anew.
    func wokeUp() { loader.wokeUp() }

    /// Tells the player how much of the current item is here.
    func tellBuffer() {
        guard let item = current else { return }
        let ringSeconds = secondsInRing
        let position = currentSeconds ?? 0
        let status = item.bufferStatus(ringSeconds: ringSeconds, position: position, aheadLimit: aheadLimit)
        hear(.buffer(item.token, status))
    }

    /// Where the current item is heard, by the master's clock.
    var currentSeconds: Double? {
        guard let heard = outputs.heard else { return nil }
        return line.position(ring: heard.ring, frame: heard.frame)?.seconds
    }

    private var secondsInRing: Double {
        guard let ring else { return 0 }
        let heard = outputs.heard
        let frame = heard?.ring == ring.id ? heard?.frame ?? 0 : 0
        return ring.format.seconds(ofFrames: max(0, ring.producedFrames - frame))
    }

    private func source(for item: PlayableItem, token: Int, isAhead: Bool = false) -> any ByteSource {
        let headers = item.headers.map { ($0.name, $0.value) }
        let charset = ([item.url] + item.mirrors).lazy.compactMap { [stations] in stations.charset(of: $0) }
            .first
        let what = isAhead ? "fetched ahead" : "opened"
        journal.note(item.url, .open, item.origin.map { "\(what); named by \($0.name)" } ?? what)
        return loader.open(
            url: item.url, mirrors: item.mirrors, headers: headers, charset: charset,
            mayLeadToThisMachine: item.origin?.mayLeadToThisMachine ?? true,
            purpose: isAhead ? .ahead : .reading
        ) { [mailbox] event in
            mailbox.post(.source(token: token, event))
        }
    }

    func loudness(of item: PlayableItem) -> ItemLoudness {
        var known = ItemLoudness()
        known.key = LoudnessMemory.key(of: item.url)
        known.isAlbumPart = item.isAlbumPart
        known.stationGain =
            ([item.url] + item.mirrors).lazy.compactMap { [stations] in stations.gain(of: $0) }
            .first
        known.measured = loudness[known.key]
        return known
    }

    /// Any thread.
    private static func openFolder(_ item: PlayableItem, _ loader: Loader) -> any ByteSource {
        loader.open(
            url: item.url, headers: item.headers.map { ($0.name, $0.value) },
            mayLeadToThisMachine: item.origin?.mayLeadToThisMachine ?? true, isFolder: true, events: { _ in })
    }

    func name(of item: PlayableItem) -> String { URLMask.shown(item.url) }

    func closeSources() {
        current?.source.close()
        next?.source.close()
        current = nil
        next = nil
        marks.removeAll()
    }

    func post(_ command: DecodeCommand) {
        perform("decode") { () throws(SystemError) in try decoder.post(command) }
    }

    /// Without a thread to be had nothing plays: that is told of the current item.
    func perform(_ what: String, _ body: () throws(SystemError) -> Void) {
        do throws(SystemError) {
            try body()
        } catch {
            Log.error("engine", "cannot \(what): \(error)")
            guard let token = current?.token else { return }
            let failure = PlaybackFailure(.internal, "The system has no thread to \(what): \(error.reason).")
            mailbox.post(.decode(.failed(token: token, failure)))
        }
    }
}
