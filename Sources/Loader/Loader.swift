package import Base
import Synchronization

/// Opens resources by URL: the one door to files and the network. Any thread may call it.
package final class Loader: Sendable {
    private let settings: LoaderSettings
    private let credentials = Mutex(CredentialStore())
    /// Opens files and tells of what fails at once; started by the first.
    private let files = JobQueue(name: "jb-files")

    private let thread = LoaderThread()
    private let resources = OpenResources()

    package init(_ settings: LoaderSettings = LoaderSettings()) { self.settings = settings }

    /// Opens a resource; never blocks, never fails: what cannot be opened is told by an event and by its reads.
    ///
    /// `mirrors` are other URLs of the same station, tried in turn; what worked last comes first. `headers` are sent
    /// to the URL's own origin only. `charset` is that of ICY titles which are not UTF-8; nil for Latin-1.
    /// `mayLeadToThisMachine` is false for what the internet named; `isFolder` is true for what is known to be one, on a
    /// WebDAV server. For `purpose` see there. A `document` is read once from its server, never from the cache: only if
    /// it is another edition than that, and without a second attempt. `events` is called on a thread of the loader.
    package func open(
        url: String, mirrors: [String] = [], headers: [(String, String)] = [], charset: String? = nil,
        mayLeadToThisMachine: Bool = true, isFolder: Bool = false, purpose: LoadPurpose = .reading,
        document: DocumentEdition? = nil, events: @escaping @Sendable (SourceEvent) -> Void
    ) -> any ByteSource {
        do throws(PlaybackFailure) {
            switch try ResourceLocation(url) {
            case .file(let path):
                let source = FileSource(path: path)
                run { source.open(events) }
                return source
            case .remote(let remote):
                let own = ItemCredentials(remote, headers: headers, store: credentials.withLock { $0 })
                return open(
                    remote, given: url, own, mirrors.compactMap(Self.remote), charset,
                    mayBeLocal: mayLeadToThisMachine, isFolder: isFolder, document: document,
                    purpose: purpose, events)
            }
        } catch {
            run { events(.failed(error)) }
            return FailedSource(error)
        }
    }

    private static func remote(_ url: String) -> RemoteURL? {
        guard let location = try? ResourceLocation(url), case .remote(let url) = location else { return nil }
        return url
    }

    private func open(
        _ url: RemoteURL, given: String, _ own: ItemCredentials, _ mirrors: [RemoteURL], _ charset: String?,
        mayBeLocal: Bool, isFolder: Bool, document: DocumentEdition?,
        purpose: LoadPurpose,
        _ events: @escaping @Sendable (SourceEvent) -> Void
    ) -> any ByteSource {
        let known = charset.flatMap(Charset.init(name:))
        if let charset, known == nil {
            Log.warning("loader", "the charset \(charset) of \(url.masked) is not known; Latin-1 is taken")
        }
        var description = ResourceDescription(
            given: given, url: url, mirrors: mirrors, credentials: own, charset: known ?? .latin1,
            mayBeLocal: mayBeLocal, isFolder: isFolder)
        description.document = document
        let home = Reader.Home()
        let (resource, isNew) = resources.join(description, Reader(home, purpose: purpose, events: events)) {
            SharedResource(description, settings: settings, door: thread)
        }
        if isNew { resource.lookUp() } else { resource.note(.open, "joins what is being loaded of it") }
        resource.attend()
        return HTTPSource(home)
    }

    /// The path that a file URL names, repaired where it is not UTF-8; nil for any other URL.
    package static func path(of url: String) -> String? {
        guard let location = try? ResourceLocation(url), case .file(let path) = location else { return nil }
        return String(decoding: path, as: UTF8.self)
    }

    /// True when ICY titles can be read from a charset of that name.
    package static func knowsCharset(_ name: String) -> Bool { Charset(name: name) != nil }

    /// True for a header that a user may have sent: a name, and none of those that are the loader's own.
    package static func maySend(header name: String) -> Bool { LoadingRequest.isUsers(name) }

    /// Takes the configuration's credentials, for what is opened from now on.
    package func setCredentials(_ store: CredentialStore) { credentials.withLock { $0 = store } }

    /// Sets how many bytes a second all that is only to be kept may take together; 0 for any number.
    package func setBackgroundRate(_ rate: Int64) { thread.setBackgroundRate(rate) }

    /// Bytes that came in over the network since the start, heads included.
    package var receivedBytes: Int64 { thread.received.load(ordering: .relaxed) }

    /// The machine woke up, or was told otherwise that its network is another one: what waits is tried at once, and
    /// connections from before are made anew.
    package func wokeUp() { thread.wokeUp() }

    /// Ends the loader's thread and all transfers, for good; reads of what is not here wait from then on.
    package func stop() { thread.stop() }

    /// The same, and waits, for so long at most, until all that is to be kept is safe on disk.
    package func stop(within patience: Duration) {
        let deadline = MonotonicTime.now + patience
        thread.stop()
        thread.waitForEnd(until: deadline)
        settings.cache?.close(until: deadline)
    }

    /// True when it is of use to fetch something before it is read.
    package var fetchesAhead: Bool { settings.cache != nil && settings.fills && !settings.isOffline }

    /// The cache; nil without one.
    package var cache: DiskCache? { settings.cache }

    private func run(_ job: @escaping @Sendable () -> Void) {
        do throws(SystemError) {
            try files.run(job)
        } catch {
            // Without a thread to be had the caller's own does it.
            Log.error("loader", "\(error)")
            job()
        }
    }
}
