import Base
import Loader
import Player

/// The current item's picture as a file: from its tags, else from its folder. Control thread; the disk is
/// touched on the files' thread.
final class ArtworkKeeper {
    private let folder: PictureFolder
    private let files: JobQueue
    private unowned let player: Player
    private let mailbox: Mailbox<(token: Int, path: String?)>
    private var lastToken: Int?

    /// Files lie in `artwork` in the cache folder. Throws when there are no descriptors left.
    init(
        cacheFolder: String, files: JobQueue, player: Player, loop: EventLoop, table: PropertyTable
    ) throws(SystemError) {
        folder = PictureFolder(path: cacheFolder + "/artwork", mostFiles: 100, mostBytes: 64 << 20)
        self.files = files
        self.player = player
        mailbox = try Mailbox()
        try mailbox.deliver(on: loop) { [unowned player] in player.setArtwork($0.path, for: $0.token) }
        table.atEndOfWritingTurn { [unowned self] in look() }
    }

    private func look() {
        guard let source = player.artworkSource, source.token != lastToken else { return }
        lastToken = source.token
        let place = Loader.path(of: source.url)
        guard source.picture != nil || place != nil else { return }
        _ = try? files.run { [folder, mailbox] in
            var path = source.picture.flatMap { Self.write($0, to: folder) }
            if path == nil, let place { path = PictureFiles.find(beside: place) }
            if path != nil { mailbox.post((source.token, path)) }
        }
    }

    /// Writes a picture's bytes as they came, named by them; nil when that does not work. The files' thread.
    private static func write(_ picture: Tags.Picture, to folder: PictureFolder) -> String? {
        guard !picture.bytes.isEmpty else { return nil }
        let name = PictureFiles.digest(picture.bytes) + (PictureFiles.ending(of: picture.bytes) ?? "")
        if let path = folder.existing(name) { return path }
        do throws(SystemError) {
            return try folder.write(picture.bytes, as: name)
        } catch {
            Log.warning("artwork", "a picture cannot be written: \(error)")
            return nil
        }
    }
}
