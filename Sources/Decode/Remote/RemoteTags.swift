import Base
import DecoderLink

extension Tags {
    /// Tags as FFmpeg names them.
    init(_ fields: LinkFields, picture: Picture?) {
        self.init()
        self.fields = fields.shown
        func value(_ names: String...) -> String? {
            for name in names {
                if let field = self.fields.first(where: { $0.name.lowercased() == name }) {
                    return field.value
                }
            }
            return nil
        }
        title = value("title")
        artist = value("artist", "album_artist", "author", "composer")
        album = value("album")
        genre = value("genre")
        date = value("date", "year", "originaldate")
        track = value("track", "tracknumber")
        replayGain = ReplayGain(self.fields)
        self.picture = picture
    }
}

extension LinkFields {
    /// The fields as people may read them.
    var shown: [TimedMetadata.Field] {
        fields.map { TimedMetadata.Field(TagText.string($0.name), TagText.guessed($0.value)) }
    }
}
