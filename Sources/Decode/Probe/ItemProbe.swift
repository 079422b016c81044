package import Base

/// What an item is, found out without playing it. Any thread that may wait.
package enum ItemProbe {
    /// Opens what a source gives, as it would be to play it. Throws why that cannot be.
    package static func information(of source: any ByteSource, name: String, until deadline: MonotonicTime)
        throws(PlaybackFailure) -> StreamInformation
    {
        let waiting = SourceReader.Waiting(service: { MonotonicTime.now >= deadline }, began: {})
        let reader = SourceReader(source, wake: WakePoint(), waiting: waiting, deadline: deadline)
        let item = DecodeItem(token: 0, source: source, name: name)
        guard let (_, information) = try DecoderFactory.open(item, reader) else {
            throw PlaybackFailure(.timeout, "\(name) took too long to tell what it is.")
        }
        return information
    }
}
