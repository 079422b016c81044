import Base

/// The decoders there are, in the order in which they are tried.
enum DecoderFactory {
    private typealias Maker = @Sendable (SourceReader, DecodeItem) -> any Decoder

    /// Each probes for itself and throws `unsupportedFormat` for what is not its own.
    private static let makers: [Maker] = [
        { MPEGDecoder($0, name: $1.name, places: $1.places) }
    ]

    /// Opens the first decoder that can play the item. Nil when interrupted; throws the first one's reason.
    static func open(_ item: DecodeItem, _ reader: SourceReader)
        throws(PlaybackFailure) -> (decoder: any Decoder, information: StreamInformation)?
    {
        var reason: PlaybackFailure?
        for make in makers {
            let decoder = make(reader, item)
            do throws(PlaybackFailure) {
                guard let information = try decoder.open() else { return nil }
                return (decoder, information)
            } catch {
                if error.code != .unsupportedFormat { throw error }
                reason = reason ?? error
            }
        }
        throw reason ?? PlaybackFailure(.internal, "There is no decoder.")
    }
}
