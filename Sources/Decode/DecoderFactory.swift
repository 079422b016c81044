import Base

/// The decoders there are: MPEG audio is decoded here, all else by `jukebox-decoder`.
enum DecoderFactory {
    /// Opens the decoder that can play the item. Nil when interrupted; throws why there is none.
    static func open(_ item: DecodeItem, _ reader: SourceReader)
        throws(PlaybackFailure) -> (decoder: any Decoder, information: StreamInformation)?
    {
        if let source = reader.source as? any SegmentedSource {
            let decoder = SegmentedDecoder(source, item, reader)
            return try decoder.open().map { (decoder, $0) }
        }
        guard let (decoder, information) = try open(item, reader, item.places) else { return nil }
        if reader.source.information?.isLive == true {
            return (LiveDecoder(item, reader, decoder, information), information)
        }
        return (decoder, information)
    }

    /// Opens the one that can decode what begins where the reader's stream does.
    static func open(_ item: DecodeItem, _ reader: SourceReader, _ places: LiveIndex)
        throws(PlaybackFailure) -> (any LiveDecoding, StreamInformation)?
    {
        let mpeg = MPEGDecoder(reader, name: item.name, places: places)
        do throws(PlaybackFailure) {
            return try mpeg.open().map { (mpeg, $0) }
        } catch {
            guard error.code == .unsupportedFormat else { throw error }
            let remote = RemoteDecoder(reader, name: item.name, places: places, otherwise: error)
            return try remote.open().map { (remote, $0) }
        }
    }
}
