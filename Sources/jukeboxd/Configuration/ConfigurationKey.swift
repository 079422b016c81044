import Base
import Glibc
import Loader
import Player

/// A key of the configuration file: where it stands and how it takes a value.
struct ConfigurationKey {
    let section: String
    let name: String
    /// Puts a value in; returns what is allowed when the value is not.
    let apply: (inout Configuration, String) -> String?

    /// Every key with a fixed name, in the order of `etc/jukeboxd.conf`; `[outputs]` takes any name.
    static var all: [ConfigurationKey] {
        [
            ConfigurationKey(section: "socket", name: "group") { configuration, value in
                guard Group.id(named: value) != nil else { return "the name of a group of this system" }
                configuration.socketGroup = value
                return nil
            },
            ConfigurationKey(section: "player", name: "resume") { configuration, value in
                guard let policy = ResumePolicy(rawValue: value) else {
                    return "one of " + ResumePolicy.allCases.map(\.rawValue).joined(separator: ", ")
                }
                configuration.resume = policy
                return nil
            },
            whole("player", "start_volume", \.startVolume, 0...100, "per cent"),
            whole("player", "max_volume", \.maxVolume, 1...100, "per cent"),
            ConfigurationKey(section: "player", name: "replaygain_preamp") { configuration, value in
                guard let preamp = Double(value), (-20.0...20).contains(preamp) else {
                    return "a number of dB from -20 to 20"
                }
                configuration.preamp = preamp
                return nil
            },
            ConfigurationKey(section: "player", name: "announce") { configuration, value in
                guard value == "interrupt" || value == "duck" else { return "interrupt or duck" }
                configuration.ducks = value == "duck"
                return nil
            },
            whole("loader", "stall_timeout", \.stallTimeout, 1...600, "seconds"),
            whole("loader", "connect_timeout", \.connectTimeout, 1...600, "seconds"),
            bytes("loader", "cache_limit", \.cacheLimit),
            truth("loader", "offline", \.isOffline),
            truth("loader", "fill", \.fills),
            truth("loader", "metered", \.isMetered),
            file("loader", "ca_file", \.caFile),
            whole("loader", "time_shift", \.timeShift, 0...86_400, "seconds"),
            ConfigurationKey(section: "loader", name: "time_shift_disk") { configuration, value in
                guard let spilling = TimeShiftPlan.Spilling(rawValue: value) else {
                    return "one of " + TimeShiftPlan.Spilling.allCases.map(\.rawValue).joined(separator: ", ")
                }
                configuration.timeShiftDisk = spilling
                return nil
            },
            text("loader", "user_agent", \.userAgent, allowed: "printable text of at most 200 bytes"),
            whole("store", "refresh", \.refreshInterval, 60...604_800, "seconds"),
            ConfigurationKey(section: "store", name: "geocoder") { configuration, value in
                guard (try? MediaURL.check(value)) != nil, value.lowercased().hasPrefix("http") else {
                    return "an http or https URL, such as https://nominatim.openstreetmap.org/search"
                }
                configuration.geocoder = value
                return nil
            },
            bytes("store", "download_rate", \.downloadRate),
            ConfigurationKey(section: "log", name: "level") { configuration, value in
                guard let level = Log.Level(name: value) else {
                    return "one of " + Log.Level.allCases.map(\.name).joined(separator: ", ")
                }
                configuration.logLevel = level
                return nil
            },
        ]
    }

    private static func whole(
        _ section: String, _ name: String, _ field: WritableKeyPath<Configuration, Int>,
        _ range: ClosedRange<Int>, _ unit: String
    ) -> ConfigurationKey {
        ConfigurationKey(section: section, name: name) { configuration, value in
            guard let number = Int(value), range.contains(number) else {
                return "a whole number of \(unit) from \(range.lowerBound) to \(range.upperBound)"
            }
            configuration[keyPath: field] = number
            return nil
        }
    }

    private static func whole(
        _ section: String, _ name: String, _ field: WritableKeyPath<Configuration, Int?>,
        _ range: ClosedRange<Int>, _ unit: String
    ) -> ConfigurationKey {
        ConfigurationKey(section: section, name: name) { configuration, value in
            guard let number = Int(value), range.contains(number) else {
                return "a whole number of \(unit) from \(range.lowerBound) to \(range.upperBound)"
            }
            configuration[keyPath: field] = number
            return nil
        }
    }

    private static func truth(
        _ section: String, _ name: String, _ field: WritableKeyPath<Configuration, Bool>
    ) -> ConfigurationKey {
        ConfigurationKey(section: section, name: name) { configuration, value in
            switch value {
            case "true", "yes", "on": configuration[keyPath: field] = true
            case "false", "no", "off": configuration[keyPath: field] = false
            default: return "true or false"
            }
            return nil
        }
    }

    private static func bytes(
        _ section: String, _ name: String, _ field: WritableKeyPath<Configuration, Int64>
    ) -> ConfigurationKey {
        ConfigurationKey(section: section, name: name) { configuration, value in
            let units: [Character: Int64] = ["K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40]
            let unit = value.last.flatMap { units[$0] }
            guard let number = Int64(unit == nil ? value[...] : value.dropLast()), number >= 0,
                number <= (1 << 50) / (unit ?? 1)
            else { return "a number of bytes, such as 500M or 2G" }
            configuration[keyPath: field] = number * (unit ?? 1)
            return nil
        }
    }

    private static func text(
        _ section: String, _ name: String, _ field: WritableKeyPath<Configuration, String?>, allowed: String
    ) -> ConfigurationKey {
        ConfigurationKey(section: section, name: name) { configuration, value in
            let isPrintable = value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
            guard !value.isEmpty, value.utf8.count <= 200, isPrintable else { return allowed }
            configuration[keyPath: field] = value
            return nil
        }
    }

    private static func file(
        _ section: String, _ name: String, _ field: WritableKeyPath<Configuration, String?>
    ) -> ConfigurationKey {
        ConfigurationKey(section: section, name: name) { configuration, value in
            guard value.hasPrefix("/"), unsafe access(value, R_OK) == 0 else {
                return "the absolute path of a file that can be read"
            }
            configuration[keyPath: field] = value
            return nil
        }
    }
}
