import Base
import CLinux
import Glibc

/// Where the daemon keeps things: what was asked for, else systemd's folders, else the XDG ones.
/// Source: systemd.exec(5), RuntimeDirectory=; the XDG Base Directory Specification 0.8.
struct Folders: Equatable {
    var cache: String
    var state: String
    var data: String

    init(_ options: Options) {
        cache =
            options.cacheFolder
            ?? Folders.standard("CACHE_DIRECTORY", "XDG_CACHE_HOME", ".cache", "/var/cache")
        state =
            options.stateFolder
            ?? Folders.standard("STATE_DIRECTORY", "XDG_STATE_HOME", ".local/state", "/var/lib")
        data =
            options.dataFolder
            ?? Folders.standard("DATA_DIRECTORY", "XDG_DATA_HOME", ".local/share", "/var/lib")
    }

    /// The configuration file when none is named: the user's, else the system's; nil when there is none.
    static func configurationFile() -> String? {
        configurationFiles().first { unsafe access($0, F_OK) == 0 }
    }

    /// Where the configuration file is looked for, the first that there is counting.
    static func configurationFiles() -> [String] {
        var candidates: [String] = []
        if let folder = System.environment("CONFIGURATION_DIRECTORY") {
            candidates.append(firstPath(folder) + "/jukeboxd.conf")
        }
        if let folder = System.environment("XDG_CONFIG_HOME") {
            candidates.append(folder + "/jukeboxd/jukeboxd.conf")
        } else if let home = System.environment("HOME") {
            candidates.append(home + "/.config/jukeboxd/jukeboxd.conf")
        }
        candidates.append("/etc/jukeboxd/jukeboxd.conf")
        return candidates
    }

    private static func standard(_ service: String, _ xdg: String, _ home: String, _ system: String) -> String
    {
        if let folder = System.environment(service) { return firstPath(folder) }
        if let folder = System.environment(xdg), folder.hasPrefix("/") { return folder + "/jukeboxd" }
        if let folder = System.environment("HOME") { return "\(folder)/\(home)/jukeboxd" }
        return system + "/jukeboxd"
    }

    /// systemd separates several folders by colons; the first is ours.
    private static func firstPath(_ list: String) -> String {
        String(list.prefix { $0 != ":" })
    }
}
