import Base
import Player

extension OpenItem {
    /// Notes what happened to the item, for `explain`.
    func note(_ kind: Journal.Kind, _ text: String, _ journal: Journal) {
        journal.note(playable.url, kind, text)
    }
}

extension StreamInformation {
    /// What the decoder found, in a line.
    var story: String {
        var parts = [
            codec, "\(format.sampleRate) Hz", format.channels == 1 ? "mono" : "\(format.channels) channels",
        ]
        if let bitrate { parts.append("\(bitrate / 1000) kbit/s") }
        if let duration { parts.append("\(isEstimated ? "about " : "")\(Int(duration.rounded())) s") }
        if !isSeekable { parts.append("cannot seek") }
        return parts.joined(separator: ", ")
    }
}
