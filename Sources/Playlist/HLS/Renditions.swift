import Base

/// The versions of a stream that a master playlist names, in the order in which their sound is worth having.
///
/// First those without a picture, by bit rate from the highest; then sound that goes along with pictures in a playlist
/// of its own, by the bit rate of these; at last sound that lies among pictures, by bit rate from the lowest.
struct Renditions {
    private enum Rank: Int { case sound, beside, among }

    private struct Version {
        let name: String
        let bandwidth: Int
        let rank: Rank
    }

    private var versions: [Version] = []
    /// Playlists of sound by their group: the default one, else the first.
    private var groups: [String: (name: String?, isDefault: Bool)] = [:]

    init(_ lines: [String]) {
        for line in lines where line.hasPrefix("#EXT-X-MEDIA:") {
            addGroup(AttributeList(line.dropFirst("#EXT-X-MEDIA:".count)))
        }
        var told: AttributeList?
        for line in lines {
            if line.hasPrefix("#EXT-X-STREAM-INF:") {
                told = AttributeList(line.dropFirst("#EXT-X-STREAM-INF:".count))
            } else if !line.hasPrefix("#"), let attributes = told {
                add(line, attributes)
                told = nil
            }
        }
    }

    private mutating func addGroup(_ attributes: AttributeList) {
        guard attributes["TYPE"] == "AUDIO", let group = attributes["GROUP-ID"] else { return }
        let isDefault = attributes["DEFAULT"] == "YES"
        if let known = groups[group], known.isDefault || !isDefault { return }
        groups[group] = (attributes["URI"], isDefault)
    }

    private mutating func add(_ name: String, _ attributes: AttributeList) {
        let codecs = (attributes["CODECS"] ?? "").lowercased().split(separator: ",")
            .map { $0.drop { $0 == " " } }
        let pictures = ["avc", "hvc", "hev", "vp0", "vp8", "vp9", "av01", "mp4v", "dvh"]
        let isPicture = codecs.map { codec in pictures.contains { codec.hasPrefix($0) } }
        let hasPictures = attributes["RESOLUTION"] != nil || isPicture.contains(true)
        let group = attributes["AUDIO"].flatMap { groups[$0] }
        // Pictures that no sound goes along with.
        if group == nil, !codecs.isEmpty, !isPicture.contains(false) { return }
        let bandwidth = Int(attributes["BANDWIDTH"] ?? "") ?? 0
        let rank: Rank = !hasPictures ? .sound : group?.name != nil ? .beside : .among
        versions.append(Version(name: group?.name ?? name, bandwidth: bandwidth, rank: rank))
    }

    /// Their URLs, the best first. Throws when there is none, or the best must not be followed.
    func urls(_ names: StreamNames) throws(PlaybackFailure) -> [String] {
        let ordered = versions.enumerated().sorted { a, b in
            if a.element.rank != b.element.rank { return a.element.rank.rawValue < b.element.rank.rawValue }
            let (x, y) = (a.element.bandwidth, b.element.bandwidth)
            if x != y { return a.element.rank == .among ? x < y : x > y }
            return a.offset < b.offset
        }
        guard let best = ordered.first else {
            throw PlaybackFailure(.unsupportedFormat, "\(names.name) is an HLS stream without sound.")
        }
        var urls = [try names.url(best.element.name)]
        for other in ordered.dropFirst().prefix(7) {
            if let url = try? names.url(other.element.name), !urls.contains(url) { urls.append(url) }
        }
        return urls
    }
}
