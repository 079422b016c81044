import Base
import CCrypto

/// Names what is kept of a URL for one set of credentials and headers, without telling any of them.
///
/// It is a hash under a random salt that lies 0600 in the cache's folder: who sees a file's name or its index can
/// not find a password by trying likely ones.
struct CacheKey: Hashable, Sendable {
    /// Of the URL and all that goes with its requests; 32 bytes.
    let whole: [UInt8]
    /// Of the bare URL, to find all that is kept of it; 32 bytes.
    let url: [UInt8]
    /// The URL without secrets.
    let shown: String

    /// The name of the files.
    let name: String

    /// `identity`: whatever else decides what the server answers, such as credentials and headers, in any order.
    /// Nil when libcrypto cannot hash.
    init?(url: String, shown: String, identity: [String], salt: [UInt8]) {
        guard let bare = Self.hash([url], salt), let whole = Self.hash([url] + identity.sorted(), salt) else {
            return nil
        }
        self.shown = shown
        self.url = bare
        self.whole = whole
        name = whole.prefix(16).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// Hashes texts, each with its length, so that no two lists look the same.
    static func hash(_ parts: [String], _ salt: [UInt8]) -> [UInt8]? {
        var message = ByteWriter()
        for part in parts {
            let bytes = Array(part.utf8)
            message.add(UInt32(clamping: bytes.count))
            message.bytes += bytes
        }
        var result = [UInt8](repeating: 0, count: 32)
        // Safe because the function writes 32 bytes and reads as many as it is told.
        let isDone = unsafe jb_hmac(salt, salt.count, message.bytes, message.bytes.count, &result)
        return isDone == 1 ? result : nil
    }
}
