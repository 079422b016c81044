/// How a name of sound would end that says what it is, for where the bytes say too little.
enum MediaEnding {
    private static let types = [
        "audio/aac": "aac", "audio/aacp": "aac", "audio/x-aac": "aac", "audio/mp4": "m4a",
        "audio/x-m4a": "m4a",
        "audio/ogg": "ogg", "application/ogg": "ogg", "audio/opus": "opus", "audio/flac": "flac",
        "audio/x-flac": "flac", "audio/wav": "wav", "audio/x-wav": "wav", "audio/webm": "webm",
        "audio/x-ms-wma": "wma", "audio/ac3": "ac3", "video/mp2t": "ts", "audio/aiff": "aiff",
        "audio/x-aiff": "aiff", "audio/x-wavpack": "wv", "audio/x-matroska": "mka",
    ]
    private static let longest = 5

    /// By the media type, else by the name of a file or the path of a URL; may be empty.
    static func of(_ name: String, contentType: String?) -> String {
        if let ending = contentType.flatMap({ types[$0] }) { return ending }
        let path = name.prefix { $0 != "?" && $0 != "#" }
        let file = path.split(separator: "/").last ?? ""
        guard let dot = file.lastIndex(of: "."), dot != file.startIndex else { return "" }
        let ending = file[file.index(after: dot)...].lowercased()
        let isPlain = ending.utf8.allSatisfy { (48...57).contains($0) || (97...122).contains($0) }
        return isPlain && ending.utf8.count <= longest ? ending : ""
    }
}
