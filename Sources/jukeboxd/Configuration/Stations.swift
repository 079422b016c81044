import Loader

/// What the configuration says of single stations, by the beginning of their URLs.
struct Stations: Equatable {
    private struct Rule: Equatable {
        let prefix: String
        var charset: String?
        /// In dB.
        var gain: Double?
    }

    private static let keyword = "station"
    private static let gains = -60.0...20.0
    private var rules: [Rule] = []

    /// The URL prefix of a section `station URL-PREFIX`; nil for any other section.
    static func prefix(section: String) -> String? {
        guard section == keyword || section.hasPrefix(keyword + " ") else { return nil }
        return String(section.dropFirst(keyword.count).drop { $0 == " " })
    }

    /// Takes a key of a station; returns what is wrong with it, if anything.
    mutating func set(_ key: String, _ value: String, prefix: String) -> String? {
        guard ["http://", "https://"].contains(where: prefix.lowercased().hasPrefix) else {
            return "a station is named by the beginning of its URL, as in [station http://radio.example/]"
        }
        switch key {
        case "charset":
            guard Loader.knowsCharset(value) else {
                return "\"\(value)\" is not the name of a charset, such as windows-1251"
            }
            change(prefix) { $0.charset = value }
        case "gain":
            guard let gain = Double(value), Self.gains.contains(gain) else {
                return "\"\(value)\" is not a number of dB from -60 to 20"
            }
            change(prefix) { $0.gain = gain }
        default: return "unknown key; [station URL-PREFIX] has charset, gain"
        }
        return nil
    }

    private mutating func change(_ prefix: String, _ change: (inout Rule) -> Void) {
        let index = rules.firstIndex { $0.prefix == prefix } ?? rules.endIndex
        if index == rules.endIndex { rules.append(Rule(prefix: prefix)) }
        change(&rules[index])
    }

    /// The charset of a station's titles where they are not UTF-8, by the longest prefix; nil when not set.
    func charset(of url: String) -> String? { value(\.charset, of: url) }

    /// The gain of a station in dB, by the longest prefix; nil when not set.
    func gain(of url: String) -> Double? { value(\.gain, of: url) }

    private func value<Value>(_ field: KeyPath<Rule, Value?>, of url: String) -> Value? {
        let url = url.lowercased()
        return rules.filter { $0[keyPath: field] != nil && url.hasPrefix($0.prefix.lowercased()) }
            .max { $0.prefix.utf8.count < $1.prefix.utf8.count }?[keyPath: field]
    }
}
