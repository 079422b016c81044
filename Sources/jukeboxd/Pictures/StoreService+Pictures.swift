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
    /// The newest items of a source among which a picture for it is looked for.
    private static let mostLooked: Int64 = 5

    func addPictures(to commands: CommandTable) {
        commands.add("store.artwork", positional: "id") { [unowned self] (call) throws(CommandFailure) in
            try picture(call) { path, _ in .success(.object { $0.member("path", path) }) }
        }
        add("store.sourceArtwork", positional: "id", to: commands) {
            [unowned self] (call) throws(CommandFailure) in try sourcePicture(call)
        }
        commands.add("artwork.read", positional: "id") { [unowned self] (call) throws(CommandFailure) in
            let offset = try call.parameters.optionalInteger("offset") ?? 0
            guard offset >= 0 else { throw CommandFailure(.invalidParams, "offset is \(offset), below 0.") }
            return try picture(call) { path, id in Self.part(of: path, at: offset, id) }
        }
    }

    /// `store.sourceArtwork`: a source's own picture, or else that of its newest items.
    private func sourcePicture(_ call: CommandCall) throws(CommandFailure) -> CommandOutcome {
        let id = try source(try call.parameters.integer("id")).id
        let size = try Self.size(call)
        let slot = call.makeReplySlot()
        catalogue.read { [mailbox] outcome in
            let newest = (try? outcome.get().newest(of: id, atMost: Self.mostLooked)) ?? []
            mailbox.post { service in
                let wish = service.wish(forSource: id, newest)
                service.pictures.find(wish, size) { path in
                    slot.fill(
                        path.map { path in .success(.object { $0.member("path", path) }) }
                            ?? .failure(Self.noPicture(of: "Source \(wish.id)")))
                }
            }
        }
        return .later(slot)
    }

    private static func size(_ call: CommandCall) throws(CommandFailure) -> PictureSize {
        let name = try call.parameters.optionalString("size") ?? PictureSize.full.rawValue
        guard let size = PictureSize(rawValue: name) else {
            throw Parameters.wrong("size", .string(name), "thumb or full")
        }
        return size
    }

    private func picture(
        _ call: CommandCall, _ answer: @escaping @Sendable (String, Int64) -> Result<JSONText, CommandFailure>
    ) throws(CommandFailure) -> CommandOutcome {
        let id = try call.parameters.integer("id")
        let size = try Self.size(call)
        let slot = call.makeReplySlot()
        catalogue.read { [mailbox] outcome in
            do throws(StoreError) {
                guard let item = try outcome.get().item(id) else {
                    slot.fill(.failure(Self.missing(id)))
                    return
                }
                mailbox.post { service in
                    service.pictures.find(service.wish(for: item), size) { path in
                        slot.fill(path.map { answer($0, id) } ?? .failure(Self.noPicture(of: "Item \(id)")))
                        if path != nil { mailbox.post { $0.noteReady(id) } }
                    }
                }
            } catch {
                slot.fill(.failure(Self.failure(error)))
            }
        }
        return .later(slot)
    }

    private static func noPicture(of what: String) -> CommandFailure {
        CommandFailure(.notFound, "\(what) has no picture, or it could not be had.")
    }

    /// An item's own picture first, then its source's.
    func wish(for item: CatalogueItem) -> PictureWish {
        let source = sources[item.source]?.row
        var places: [PictureWish.Place] = []
        if let picture = item.published.picture { places.append(place(of: picture, source)) }
        if item.url.hasPrefix("/") { places.append(.tag(of: item.url)) }
        if let picture = source?.picture { places.append(place(of: picture, source)) }
        return PictureWish(id: item.id, places: places)
    }

    /// A source's own picture first, then those of its newest items.
    private func wish(forSource id: Int64, _ newest: [CatalogueItem]) -> PictureWish {
        let source = sources[id]?.row
        var places = source?.picture.map { [place(of: $0, source)] } ?? []
        for item in newest {
            if let picture = item.published.picture { places.append(place(of: picture, source)) }
            if item.url.hasPrefix("/") { places.append(.tag(of: item.url)) }
        }
        return PictureWish(id: id, places: places)
    }

    private func place(of picture: String, _ source: CatalogueSource?) -> PictureWish.Place {
        guard !picture.hasPrefix("/") else { return .file(picture) }
        return .remote(
            url: picture, headers: source?.headerFields(for: picture) ?? [],
            mayLeadToThisMachine: source?.mayLeadToThisMachine ?? false)
    }

    /// Tells that an item's picture is here.
    func noteReady(_ id: Int64) {
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
            return .failure(noPicture(of: "Item \(id)"))
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
