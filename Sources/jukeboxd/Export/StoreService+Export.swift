import Base
import Control
import Loader
import Store

/// `store.export`: downloads as files of their own, for sticks, players and other machines.
extension StoreService {
    /// A cover that is put into a tag has so many bytes at most.
    private static let mostPicture = 2 << 20

    func addExport(to commands: CommandTable) {
        add("store.export", to: commands) { [unowned self] (call) throws(CommandFailure) in try export(call) }
    }

    private func export(_ call: CommandCall) throws(CommandFailure) -> CommandOutcome {
        let ids = try call.parameters.integers("ids")
        let folder = try call.parameters.string("folder")
        guard let bytes = LocalPath.bytes(folder) else {
            throw Parameters.wrong("folder", .string(folder), "the absolute path of a folder")
        }
        for id in ids where downloads.all[id]?.row.state != .finished {
            throw CommandFailure(.notFound, "There is no finished download of item \(id).")
        }
        let slot = call.makeReplySlot()
        let path = LocalPath.text(bytes)
        catalogue.read { [mailbox] outcome in
            do throws(StoreError) {
                let reader = try outcome.get()
                var items: [CatalogueItem] = []
                for id in ids { if let item = try reader.item(id) { items.append(item) } }
                let found = items
                mailbox.post { $0.export(found[...], to: path, [], slot) }
            } catch {
                slot.fill(.failure(Self.failure(error)))
            }
        }
        return .later(slot)
    }

    /// One after the other; what is written stays, whatever becomes of the rest.
    private func export(
        _ items: ArraySlice<CatalogueItem>, to folder: String, _ done: [ExportedFile], _ slot: ReplySlot
    ) {
        guard let item = items.first else {
            slot.fill(.success(.object { $0.member("files", done) }))
            return
        }
        guard let download = downloads.all[item.id] else {
            slot.fill(.failure(CommandFailure(.notFound, "The download of item \(item.id) is gone.")))
            return
        }
        let title = sources[item.source]?.row.shownTitle
        let bytes = loader.open(
            url: download.row.url, headers: download.headers,
            mayLeadToThisMachine: download.mayLeadToThisMachine, events: { _ in })
        let file = ExportFile(
            folder: folder, name: ExportName.name(of: item.published, id: item.id, source: title))
        pictures.find(wish(for: item), .full, inBackground: true) { [exports, mailbox] picture in
            let isAccepted: Void? = try? exports.run {
                defer { bytes.close() }
                let cover = picture.flatMap { try? System.contents(of: $0, limit: Self.mostPicture) }
                let tag = ID3Writer.tag(of: item.published, album: title, picture: cover)
                do throws(ExportFile.Failure) {
                    let path = try file.write(bytes, url: item.url, tag: tag)
                    let all = done + [ExportedFile(id: item.id, path: path)]
                    mailbox.post { $0.export(items.dropFirst(), to: folder, all, slot) }
                } catch {
                    slot.fill(.failure(CommandFailure(.invalidState, error.reason)))
                }
            }
            if isAccepted == nil {
                slot.fill(.failure(CommandFailure(.invalidState, "There is no thread to export with.")))
            }
        }
    }
}

/// A file that was written.
struct ExportedFile: JSONRepresentable {
    let id: Int64
    let path: String

    func write(to text: inout JSONText) {
        text.object { text in
            text.member("id", id)
            text.member("path", path)
        }
    }
}
