import Loader

/// What the configuration says of single stations, by the beginning of their URLs.
struct Stations: Equatable {
    private struct Rule: Equatable {
        let prefix: String
        var charset: String?
    }

    private static let keyword = "station"
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
        guard key == "charset" else { return "unknown key; [station URL-PREFIX] has charset" }
        guard Loader.knowsCharset(value) else {
            return "\"\(value)\" is not the name of a charset, such as windows-1251"
        }
        let index = rules.firstIndex { $0.prefix == prefix } ?? rules.endIndex
        if index == rules.endIndex { rules.append(Rule(prefix: prefix)) }
        rules[index].charset = value
        return nil
    }

    /// The charset of a station's titles where they are not UTF-8, by the longest prefix; nil when not set.
    func charset(of url: String) -> String? {
        let url = url.lowercased()
        return rules.filter { $0.charset != nil && url.hasPrefix($0.prefix.lowercased()) }
            .max { $0.prefix.utf8.count < $1.prefix.utf8.count }?.charset
    }
}
