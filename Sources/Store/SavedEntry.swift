/// An entry of the queue as it is kept.
package struct SavedEntry: Equatable, Sendable {
    package var id: Int64
    package var url: String
    package var title: String?
    package var isTitleGiven = false
    /// True when the internet named it, so that it must not lead to this machine.
    package var isBound = false
    package var artist: String?
    package var album: String?
    package var duration: Double?
    package var source: String?
    package var storeID: Int64?
    package var errorCode: String?
    package var errorMessage: String?
    package var errorAt: Double?
    /// Names and values, one after the other.
    package var headers: [String] = []
    package var mirrors: [String] = []

    package init(id: Int64, url: String) {
        self.id = id
        self.url = url
    }
}

/// Lists of strings in one text: each with its length in bytes before it, as netstrings are.
enum StringList {
    static func write(_ strings: [String]) -> String? {
        strings.isEmpty ? nil : strings.map { "\($0.utf8.count):\($0)" }.joined()
    }

    /// What is not well formed ends the list.
    static func read(_ text: String?) -> [String] {
        var strings: [String] = []
        var rest = Array((text ?? "").utf8)[...]
        while let colon = rest.firstIndex(of: UInt8(ascii: ":")),
            let count = Int(String(decoding: rest[..<colon], as: UTF8.self)), count >= 0,
            count <= rest.endIndex - colon - 1
        {
            let end = colon + 1 + count
            strings.append(String(decoding: rest[(colon + 1)..<end], as: UTF8.self))
            rest = rest[end...]
        }
        return strings
    }
}
