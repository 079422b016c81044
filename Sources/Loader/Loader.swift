package import Base
import Synchronization

/// Opens resources by URL: the one door to files and the network. Any thread may call it.
package final class Loader: Sendable {
    private let settings: LoaderSettings
    /// Opens files and tells of what fails at once; started by the first.
    private let files = JobQueue(name: "jb-files")

    package init(_ settings: LoaderSettings = LoaderSettings()) { self.settings = settings }

    /// Opens a resource; never blocks, never fails: what cannot be opened is told by an event and by its reads.
    ///
    /// `headers` are sent to the URL's own origin only. `charset` is that of ICY titles which are not UTF-8;
    /// nil for Latin-1. `events` is called on a thread of the loader.
    package func open(
        url: String, headers: [(String, String)] = [], charset: String? = nil,
        events: @escaping @Sendable (SourceEvent) -> Void
    ) -> any ByteSource {
        do throws(PlaybackFailure) {
            switch try ResourceLocation(url) {
            case .file(let path):
                let source = FileSource(path: path)
                run { source.open(events) }
                return source
            case .remote(let url):
                throw PlaybackFailure(.unsupportedFormat, "\(url.masked) cannot be loaded.")
            }
        } catch {
            run { events(.failed(error)) }
            return FailedSource(error)
        }
    }

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
