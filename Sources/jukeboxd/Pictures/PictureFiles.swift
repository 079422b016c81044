import Base

/// Pictures as files: what they are called, and where those of people lie. A thread that may wait for the disk.
enum PictureFiles {
    private static let names = ["cover", "folder", "front", "album", "albumart"]
    private static let endings = [".jpg", ".jpeg", ".png", ".webp", ".gif"]
    /// A folder with more than that is not an album's.
    private static let mostEntries = 5_000

    /// The picture of a file's folder, by its usual names.
    static func find(beside path: String) -> String? {
        guard let slash = path.lastIndex(of: "/") else { return nil }
        let folder = String(path[..<slash])
        let files = OpenFolder.names(in: folder, limit: mostEntries)
        for name in names {
            for ending in endings {
                if let found = files.first(where: { $0.lowercased() == name + ending }) {
                    return folder + "/" + found
                }
            }
        }
        return nil
    }

    /// A hash and the length: enough to tell covers apart.
    static func digest(_ bytes: [UInt8]) -> String {
        String(FNV1a.hash(bytes), radix: 16) + "-" + String(bytes.count, radix: 16)
    }

    /// The ending of a name by the first bytes; nil for what is no picture that people have.
    static func ending(of bytes: [UInt8]) -> String? {
        if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return ".jpg" }
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) { return ".png" }
        if bytes.starts(with: "GIF8".utf8) { return ".gif" }
        if bytes.starts(with: "RIFF".utf8), bytes.dropFirst(8).starts(with: "WEBP".utf8) { return ".webp" }
        return bytes.starts(with: "BM".utf8) ? ".bmp" : nil
    }
}
