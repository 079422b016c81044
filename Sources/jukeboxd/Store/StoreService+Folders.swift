import Base
import Store

/// Sources that are folders of this machine: read on the scanner's thread, watched where the system can.
extension StoreService {
    /// A folder changed: it is read anew. Without a watch it is so at each refresh.
    func makeWatch() {
        do throws(SystemError) {
            watch = try FolderWatch(loop: loop) { [unowned self] id, folders in
                guard let source = sources[id] else { return }
                refresh(source, parts: source.row.kind == .folder ? folders : [])
            }
        } catch {
            Log.warning("store", "folders are not watched: \(error)")
        }
    }

    /// Begins to read a folder, or only those parts of it.
    func scan(_ source: SourceState, _ path: [UInt8], _ parts: Set<[UInt8]>) {
        let request = LocalScanner.Request(source: source.id, root: path, parts: Array(parts))
        source.cancel = { request.cancel() }
        let id = source.id
        scanner.scan(
            request,
            .init(
                folder: { [door = watch?.door, mailbox] path in
                    if door?.watch(path, of: id) != true { mailbox.post { $0.noteUnwatched(id) } }
                },
                progress: { [mailbox] seen, known in
                    mailbox.post { $0.noteProgress(id, items: seen, of: known) }
                },
                changed: { [mailbox] in mailbox.post { $0.noteChange() } },
                done: { [mailbox] result in
                    mailbox.post { service in
                        service.scanned(id, result)
                    }
                }))
    }

    /// A list or a catalogue of this machine is read anew when it is written, or replaced.
    func watchFile(of source: SourceState) {
        guard let path = LocalPath.bytes(source.row.url), let slash = path.lastIndex(of: UInt8(ascii: "/"))
        else { return }
        let folder = slash == 0 ? [UInt8(ascii: "/")] : Array(path[..<slash])
        if watch?.door.watch(folder, file: Array(path[(slash + 1)...]), of: source.id) != true {
            noteUnwatched(source.id)
        }
    }

    /// The system watches no more folders: the source is read from time to time.
    private func noteUnwatched(_ id: Int64) {
        guard let source = sources[id], source.isWatched else { return }
        source.isWatched = false
        Log.warning("store", "not all of \(source.row.url) is watched: see fs.inotify.max_user_watches")
    }

    private func scanned(_ id: Int64, _ result: Result<Void, ScanFailure>) {
        guard let source = sources[id] else { return }
        if case .failure(let failure) = result, failure.isNoFolder {
            // A list, or a catalogue, as a file.
            source.row.kind = nil
            watchFile(of: source)
            waiting.append(id)
            return loadWaiting()
        }
        source.row.kind = .folder
        finish(source, result.failure)
    }

    private func noteProgress(_ id: Int64, items: Int, of known: Int) {
        noteProgress(id, items: items, fraction: known > 0 ? min(1, Double(items) / Double(known)) : nil)
    }
}

extension Result where Success == Void, Failure == ScanFailure {
    /// What is kept of it.
    fileprivate var failure: CatalogueSource.Failure? {
        guard case .failure(let error) = self else { return nil }
        return .init(code: error.code.rawValue, message: error.message)
    }
}
