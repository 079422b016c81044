import Base
import CLinux
import Control
import Glibc
import Loader
import Output
import Player
import Wire

/// The daemon put together: one loop, one player, its engine, its socket.
final class Daemon {
    private let options: Options
    private let configuration: Configuration
    /// As last read.
    private var credentials: CredentialStore
    private let loop: EventLoop
    private weak var engine: Engine?
    private var sleep = SleepMeter(monotonic: Clocks.monotonicTime, boot: Clocks.bootTime)
    private let table = PropertyTable()
    /// Tells one run of the daemon from another: 64 random bits.
    private let instance = String(UInt64.random(in: 0...UInt64.max), radix: 16)

    /// Makes the loop; nothing is opened yet. Throws when the system has no descriptors left.
    init(options: Options, configuration: Configuration, credentials: CredentialStore) throws(SystemError) {
        self.options = options
        self.configuration = configuration
        self.credentials = credentials
        loop = try EventLoop()
    }

    /// Runs until a signal or a client ends it. Throws what keeps it from running.
    func run() throws {
        if credentials.count > 0 { Log.info("jukeboxd", "there are \(credentials)") }
        // First of all, so that every thread is started with these signals blocked.
        let signals = try Signals([SIGTERM, SIGINT, SIGHUP], on: loop) { [unowned self] in take(signal: $0) }
        let cache = try makeCache()
        let engine = try makeEngine(cache)
        self.engine = engine
        let player = Player(
            engine: engine, timing: loop, table: table, maxVolume: Double(configuration.maxVolume))
        player.ducksByDefault = configuration.ducks
        engine.hear = { [unowned player] in player.handle($0) }
        let properties = makeProperties(engine)
        loop.atEndOfTurn { [table] in table.endTurn() }
        // Before the server, whose work at a turn's end comes after all other; opened when the socket is ours.
        let keeper = try StateKeeper(
            folder: Folders(options).state, player: player, loop: loop, table: table)
        let server = try makeServer(player, keeper, engine.journal)
        let stored = keeper.restore(
            resume: configuration.resume, startVolume: configuration.startVolume.map { Double($0) }
        ) { LoudnessKeeper.connect(engine, keeper, loop, $0.loudness) }
        if configuration.startVolume == nil { engine.outputs.leaveGainToDevices() }
        cache.resume(stored.settings, keeper: keeper)
        let history = HistoryKeeper(
            keeper: keeper, player: player, loop: loop, table: table, commands: server.commands)
        history.resume(after: stored.lastHeard)
        let clock = try AlarmClock(
            keeper: keeper, player: player, loop: loop, table: table, commands: server.commands)
        clock.resume(stored.alarms)
        // Apart from the store: a folder on a server that hangs must not keep the state from being saved.
        let files = JobQueue(name: "jb-files")
        let artwork = try ArtworkKeeper(
            cacheFolder: Folders(options).cache, files: files, player: player, loop: loop, table: table)
        let savedQueues = try SavedQueueCommands(
            stateFolder: Folders(options).state, keeper: keeper, files: files, player: player, server: server,
            loop: loop)
        cache.add(to: server.commands)
        let devices = OutputDevices(loop: loop)
        devices.add(to: server.commands)
        let prober = Prober(loader: engine.loader)
        prober.add(to: server.commands)
        let store = try StoreService(
            stateFolder: Folders(options).state, cacheFolder: Folders(options).cache, loader: engine.loader,
            player: player,
            schedule: RefreshSchedule(interval: Double(configuration.refreshInterval)),
            geocoder: configuration.geocoder, downloadRate: configuration.downloadRate, loop: loop,
            table: table)
        store.downloadRate.resume(stored.settings, keeper: keeper)
        store.add(to: server.commands)
        cache.hearEntries = { [unowned store] in store.availability.note() }
        store.start()
        let watch = try WallClockWatch(on: loop) { [unowned self, unowned player] in
            player.wallClockChanged()
            // A resume sets the clock, too; what was connected before it is dead.
            let slept = sleep.slept(monotonic: Clocks.monotonicTime, boot: Clocks.bootTime)
            if slept > 1 { self.engine?.wokeUp() }
        }
        ServiceManager.ready()
        withExtendedLifetime(
            (
                signals, engine, cache, player, properties, keeper, server, history, savedQueues, clock,
                artwork, store, devices, prober, watch
            )
        ) {
            loop.run()
            ServiceManager.stopping()
            server.stop()
            store.end(within: .seconds(2))
            keeper.end(within: .seconds(5))
            player.stop()
            engine.stopLoading(within: .seconds(2))
            engine.outputs.shutDown(within: .seconds(2))
        }
        Log.info("jukeboxd", "ended")
    }

    // MARK: Parts

    private var outputSpecs: [OutputSpec] {
        configuration.outputs.isEmpty
            ? [OutputSpec(name: "default", kind: .automatic)] : configuration.outputs
    }

    private func makeCache() throws(SystemError) -> CacheService {
        try CacheService(
            folder: Folders(options).cache, limit: configuration.cacheLimit, table: table, loop: loop)
    }

    /// Where a live stream may lie while it is heard late: never in memory that looks like a disk, if there is
    /// another place.
    private var timeShiftFolders: [String] {
        let folders = Folders(options)
        return [folders.cache, folders.state, "/var/tmp", System.environment("TMPDIR") ?? "/tmp"]
    }

    private func makeEngine(_ cache: CacheService) throws(SystemError) -> Engine {
        var settings = LoaderSettings()
        settings.cache = cache.cache
        settings.isOffline = configuration.isOffline
        settings.fills = configuration.fills && !configuration.isMetered
        settings.connectTimeout = .seconds(configuration.connectTimeout)
        settings.stallTimeout = .seconds(configuration.stallTimeout)
        settings.timeShift.seconds = configuration.timeShift
        settings.timeShift.spilling = configuration.timeShiftDisk
        settings.timeShift.folders = timeShiftFolders
        settings.authorities = configuration.caFile
        settings.userAgent = configuration.userAgent ?? "jukeboxd/\(Version.current)"
        let engine = try Engine(loop: loop, settings: settings, outputs: outputSpecs)
        engine.setCredentials(credentials)
        engine.stations = configuration.stations
        engine.preamp = configuration.preamp
        return engine
    }

    private func makeProperties(_ engine: Engine) -> (OutputProperties, TrafficProperty) {
        table.set("server.version", Version.current)
        table.set("server.instance", instance)
        let traffic = TrafficProperty(table: table, loop: loop) { [unowned engine] in engine.receivedBytes }
        engine.hearTraffic = { [unowned traffic] in traffic.update() }
        let outputs = OutputProperties(outputSpecs, table: table) { [unowned engine] name, isOn in
            engine.setOutput(name, enabled: isOn)
        }
        engine.hearOutput = { [unowned outputs] in outputs.take($0) }
        return (outputs, traffic)
    }

    private func makeServer(_ player: Player, _ keeper: StateKeeper, _ journal: Journal) throws
        -> ControlServer
    {
        var controls = ControlOptions(location: SocketLocation.server(option: options.socket))
        controls.groupID = configuration.socketGroup.flatMap { Group.id(named: $0) }
        controls.instance = instance
        let hooks = ControlHooks(
            reload: { [unowned self] () throws(CommandFailure) in try reload() },
            shutdown: { [unowned self] in loop.stop() }, journal: journal)
        let server = try ControlServer(
            loop: loop, table: table, player: player, options: controls, hooks: hooks)
        server.gate = keeper
        try server.start()
        Log.info("jukeboxd", "version \(Version.current), listening on \(controls.location.path)")
        return server
    }

    // MARK: Signals

    private func take(signal: Int32) {
        if signal == SIGHUP {
            do throws(CommandFailure) {
                try reload()
            } catch {
                Log.error("jukeboxd", error.message)
            }
            return
        }
        Log.info("jukeboxd", "ending: \(signal == SIGTERM ? "SIGTERM" : "SIGINT")")
        loop.stop()
    }

    /// Reads the configuration again: what can change while running does. Throws what is wrong with it, and
    /// then nothing changes.
    private func reload() throws(CommandFailure) {
        ServiceManager.reloading()
        defer { ServiceManager.ready() }
        do throws(ConfigurationError) {
            let fresh = try Configuration(options)
            let credentials = try CredentialFiles(options).read()
            Log.setLevel(fresh.logLevel)
            Log.info("jukeboxd", "the configuration was read again; the log level is \(fresh.logLevel.name)")
            engine?.stations = fresh.stations
            if credentials != self.credentials {
                self.credentials = credentials
                engine?.setCredentials(credentials)
                Log.info("jukeboxd", "there are \(credentials) now, for what is opened from here on")
            }
            if fresh.fixed != configuration.fixed {
                Log.warning("jukeboxd", "other changes of the configuration take effect at the next start")
            }
        } catch {
            throw CommandFailure(.invalidState, "The configuration was not taken: \(error).")
        }
    }
}
