import Base
import CLinux
import Glibc
import Loader

/// The key that sets of credentials are named with in the cache: made at the first start, kept in the state folder.
enum IdentityKey {
    /// The key in a folder. Where it cannot be kept there it is a new one, so that what was cached with
    /// credentials is fetched again after the next start.
    static func read(in folder: String) -> [UInt8] {
        let path = folder + "/identity.key"
        if let kept = try? PrivateFile.contents(path, .mine), kept.count == KeyedHash.keyLength {
            return kept
        }
        var generator = SystemRandomNumberGenerator()
        let key = (0..<KeyedHash.keyLength).map { _ in UInt8.random(in: 0...255, using: &generator) }
        do {
            try System.makeFolders(folder)
            unsafe unlink(path)
            let file = try System.open(path, O_WRONLY | O_CREAT | O_EXCL)
            try unsafe key.withUnsafeBytes { try unsafe System.writeAll(file.raw, $0) }
            try System.check("fsync", path) { fsync(file.raw) }
        } catch {
            Log.warning("jukeboxd", "the key of the cache's names cannot be kept: \(error)")
        }
        return key
    }
}
