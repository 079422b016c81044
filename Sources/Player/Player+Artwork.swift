package import Base

extension Player {
    /// Where the open item's picture may be found.
    package struct ArtworkSource: Sendable {
        /// The opening that it is for.
        package let token: Int
        /// As it was given: may hold secrets.
        package let url: String
        /// The picture of the item's own tags.
        package let picture: Tags.Picture?
    }

    /// The open item's, once its tags are known; nil while nothing is open.
    package var artworkSource: ArtworkSource? {
        guard let item, let stream = item.stream, let entry = shownEntry else { return nil }
        return ArtworkSource(token: item.token, url: entry.url, picture: stream.tags.picture)
    }

    /// Tells where the picture of an opening lies, if that is still the one.
    package func setArtwork(_ path: String?, for token: Int) {
        guard item?.token == token else { return }
        item?.artwork = path
        publish()
    }
}
