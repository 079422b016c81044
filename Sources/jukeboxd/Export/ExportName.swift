import Base

/// What an exported file is called: readable, and a name on every disk. Pure.
enum ExportName {
    /// Bytes of a name without its ending; file systems take 255 with it.
    private static let mostBytes = 200
    /// What FAT and NTFS, on sticks and in players, do not take.
    private static let forbidden: Set<Unicode.Scalar> = ["/", "\\", ":", "*", "?", "\"", "<", ">", "|"]

    /// `Show - 2024-05-17 - Title` for an episode, else `Artist - Title`; without what is not known.
    static func name(of published: PublishedItem, id: Int64, source: String?) -> String {
        let parts: [String?]
        if published.kind == .episode {
            parts = [source, published.date.map { String(ISODate.text($0).prefix(10)) }, published.title]
        } else {
            parts = [published.creators.first, published.title]
        }
        let name = parts.compactMap { $0.map { plain($0) } }.filter { !$0.isEmpty }.joined(separator: " - ")
        return name.isEmpty ? "Item \(id)" : cut(name)
    }

    /// The ending for what the bytes are; else that of the URL, where it is one.
    static func ending(_ head: [UInt8], url: String) -> String {
        let isMPEG = head.count > 1 && head[0] == 0xFF && head[1] & 0xE0 == 0xE0
        if head.starts(with: "ID3".utf8) || isMPEG { return ".mp3" }
        if head.starts(with: "OggS".utf8) { return ".ogg" }
        if head.starts(with: "fLaC".utf8) { return ".flac" }
        if head.starts(with: "RIFF".utf8) { return ".wav" }
        if head.dropFirst(4).starts(with: "ftyp".utf8) { return ".m4a" }
        let name = MediaName.lastPart(of: url)
        guard let dot = name.lastIndex(of: ".") else { return "" }
        let ending = name[dot...].dropFirst()
        let isOne =
            (1...5).contains(ending.utf8.count)
            && ending.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
        return isOne ? "." + ending.lowercased() : ""
    }

    private static func plain(_ text: String) -> String {
        var plain = ""
        for scalar in text.unicodeScalars {
            let isControl = scalar.properties.generalCategory == .control
            plain.unicodeScalars.append(isControl ? " " : forbidden.contains(scalar) ? "_" : scalar)
        }
        // A dot before it hides a name, one behind it some systems drop.
        return String(plain.drop { $0 == " " || $0 == "." }.trimmingEnd { $0 == " " || $0 == "." })
    }

    private static func cut(_ name: String) -> String {
        var name = name
        while name.utf8.count > mostBytes { name.removeLast() }
        return String(name.trimmingEnd { $0 == " " || $0 == "." })
    }
}

extension StringProtocol {
    fileprivate func trimmingEnd(while isTrimmed: (Character) -> Bool) -> SubSequence {
        var rest = self[...]
        while let last = rest.last, isTrimmed(last) { rest = rest.dropLast() }
        return rest
    }
}
