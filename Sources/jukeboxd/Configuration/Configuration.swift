import Base
import Loader
import Output
import Player

/// What the configuration file and the command line decide; every field has a default that works.
struct Configuration: Equatable {
    // MARK: [socket]
    /// A group whose members may connect besides the owner and root.
    var socketGroup: String?

    // MARK: [player]
    /// What becomes of what played when the daemon ended.
    var resume = ResumePolicy.paused
    /// Per cent; nil: the last.
    var startVolume: Int?
    /// Per cent.
    var maxVolume = 100
    /// dB that every gain of ReplayGain is raised by.
    var preamp = 0.0
    /// Whether an announcement is heard over what plays, unless it says otherwise.
    var ducks = false

    // MARK: [outputs]
    var outputs: [OutputSpec] = []

    // MARK: [loader]
    /// Seconds without a byte after which a connection counts as dead.
    var stallTimeout = 10
    /// Seconds that an attempt to connect gets.
    var connectTimeout = 10
    /// Seconds of a live stream that are kept; 0: none.
    var timeShift = 3600
    /// When they go to disk.
    var timeShiftDisk = TimeShiftPlan.Spilling.late
    /// A file of certificates to trust instead of the system's.
    var caFile: String?
    /// The name that servers are told; nil: the daemon's own.
    var userAgent: String?

    /// Bytes that the cache takes on disk at most.
    var cacheLimit: Int64 = 2 << 30
    /// Plays only what is here.
    var isOffline = false
    /// Loads what is heard to its end while nothing else is to be loaded.
    var fills = true
    /// Bytes cost something: no more are loaded than are likely to be heard.
    var isMetered = false

    // MARK: [store]
    /// Seconds between two refreshes of a source on the network.
    var refreshInterval = 3_600
    /// A service that knows where addresses lie, as Nominatim does; nil: nobody is asked.
    var geocoder: String?
    /// Bytes a second that downloads may take together; 0: as many as come.
    var downloadRate: Int64 = 0

    // MARK: [station URL-PREFIX]
    var stations = Stations()

    // MARK: [log]
    var logLevel = Log.Level.info

    /// What a reload cannot change, for comparing.
    var fixed: Configuration {
        var copy = self
        copy.logLevel = .info
        copy.stations = Stations()
        return copy
    }
}
