import Base
import Loader

/// Where credentials are read from: the service manager's, `credentials.conf`, `.netrc`, in this order.
struct CredentialFiles: Equatable {
    /// `credentials.conf` as a credential of the service (systemd.exec(5), LoadCredential=).
    var service: String?
    /// `credentials.conf` beside the configuration file; the first that there is counts.
    var beside: [String]
    /// True when the first of them lies beside a file that was named.
    var isNamed: Bool
    var netrc: String?

    /// The files for a run of the daemon.
    init(_ options: Options) {
        service = System.environment("CREDENTIALS_DIRECTORY").map { $0 + "/credentials.conf" }
        isNamed = options.configurationFile != nil
        let configurations = options.configurationFile.map { [$0] } ?? Folders.configurationFiles()
        beside = configurations.map { file in
            guard let slash = file.lastIndex(of: "/") else { return "credentials.conf" }
            return file[...slash] + "credentials.conf"
        }
        netrc = System.environment("HOME").map { $0 + "/.netrc" }
    }

    /// Reads them all. Throws what is wrong with one of them, but for `.netrc`, which belongs to other programs
    /// too and is left out with a warning.
    func read() throws(ConfigurationError) -> CredentialStore {
        var store = CredentialStore()
        if let service, let file = try Self.read(service, .service) { store.add(file) }
        for path in beside {
            // What only root may read is the system daemon's, which gets it from the service manager.
            if !isNamed, PrivateFile.isClosed(path) { continue }
            guard let file = try Self.read(path, .mine) else { continue }
            store.add(file)
            break
        }
        if let netrc {
            do throws(ConfigurationError) {
                if let bytes = try PrivateFile.contents(netrc, .mine) {
                    store.add(Netrc(String(decoding: bytes, as: UTF8.self)))
                }
            } catch {
                Log.warning("jukeboxd", "\(error); it is not used")
            }
        }
        return store
    }

    /// A file with nothing in it, such as the example as it comes, may be open to others.
    private static func read(_ path: String, _ rule: PrivateFile.Rule) throws(ConfigurationError)
        -> CredentialsFile?
    {
        guard let (bytes, fault) = try PrivateFile.read(path, rule) else { return nil }
        let isEmpty = try? CredentialsFile(path: path, bytes: bytes).origins.isEmpty
        if let fault, isEmpty != true { throw ConfigurationError(file: path, message: fault) }
        return try CredentialsFile(path: path, bytes: bytes)
    }
}

extension CredentialStore {
    /// Adds what a file holds.
    fileprivate mutating func add(_ file: CredentialsFile) {
        for (origin, credentials) in file.origins { add(credentials, for: origin) }
    }
}
