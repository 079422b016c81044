import Base
import Control
import Loader
import Store

/// `store.artwork`, `artwork.read` and the properties `artwork.ID`.
extension StoreService {
    /// Bytes that one call of `artwork.read` gives at most.
    private static let mostRead = 192 << 10
    /// Of so many items it is remembered in the state that their picture is here.
    private static let mostReady = 500

    func addPictures(to commands: CommandTable) {
        commands.add("store.artwork", positional: "id") { [unowned self] (call) throws(CommandFailure) in
            try picture(call) { path, _ in .success(.object { $0.member("path", path) }) }
        }
        commands.add("artwork.read", positional: "id") { [unowned self] (call) throws(CommandFailure) in
            let offset = try call.parameters.optionalInteger("offset") ?? 0
            guard offset >= 0 else { throw CommandFailure(.invalidParams, "offset is \(offset), below 0.") }
            return try picture(call) { path, id in Self.part(of: path, at: offset, id) }
        }
    }

    private func picture(
        _ call: CommandCall, _ answer: @escaping @Sendable (String, Int64) -> Result<JSONText, CommandFailure>
    ) throws(CommandFailure) -> CommandOutcome {
        let id = try call.parameters.integer("id")
        let name = try call.parameters.optionalString("size") ?? PictureSize.full.rawValue
        guard let size = PictureSize(rawValue: name) else {
            throw Parameters.wrong("size", .string(name), "thumb or full")
        }
        let slot = call.makeReplySlot()
        catalogue.read { [mailbox] outcome in
            do throws(StoreError) {
                guard let item = try outcome.get().item(id) else {
                    slot.fill(.failure(Self.missing(id)))
                    return
                }
                mailbox.post { service in
                    service.pictures.find(service.wish(for: item), size) { path in
                        slot.fill(path.map { answer($0, id) } ?? .failure(Self.noPicture(id)))
                        if path != nil { mailbox.post { $0.noteReady(id) } }
                    }
                }
            } catch {
                slot.fill(.failure(Self.failure(error)))
            }
        }
        return .later(slot)
    }

    private static func noPicture(_ id: Int64) -> CommandFailure {
        CommandFailure(.notFound, "Item \(id) has no picture, or it could not be had.")
    }

    /// An item's own picture first, then its source's.
    private func wish(for item: CatalogueItem) -> PictureWish {
        let source = sources[item.source]?.row
        var places: [PictureWish.Place] = []
        if let picture = item.published.picture { places.append(place(of: picture, source)) }
        if item.url.hasPrefix("/") { places.append(.tag(of: item.url)) }
        if let picture = source?.picture { places.append(place(of: picture, source)) }
        return PictureWish(id: item.id, places: places)
    }

    private func place(of picture: String, _ source: CatalogueSource?) -> PictureWish.Place {
        guard !picture.hasPrefix("/") else { return .file(picture) }
        return .remote(
            url: picture, headers: source?.headerFields(for: picture) ?? [],
            mayLeadToThisMachine: source?.mayLeadToThisMachine ?? false)
    }

    private func noteReady(_ id: Int64) {
        guard !readyPictures.contains(id) else { return }
        readyPictures.append(id)
        table.set("artwork.\(id)", "ready")
        guard readyPictures.count > Self.mostReady else { return }
        table.remove("artwork.\(readyPictures.removeFirst())")
    }

    private static func part(of path: String, at offset: Int64, _ id: Int64) -> Result<
        JSONText, CommandFailure
    > {
        guard let bytes = try? System.contents(of: path, limit: 32 << 20) else {
            return .failure(noPicture(id))
        }
        let start = Int(min(offset, Int64(bytes.count)))
        let part = bytes[start..<min(bytes.count, start + mostRead)]
        return .success(
            .object { text in
                text.member("data", Base64.encoded(part))
                text.member("offset", start)
                text.member("total", bytes.count)
            })
    }
}
