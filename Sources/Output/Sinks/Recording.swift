import Base

/// The WAV file of one output over the daemon's life: begun once, then continued.
final class Recording: Tape {
    let encoding = SampleEncoding.s16
    let allowsFades = false
    private let path: String
    private let rate: Int?
    private let channels: Int?
    private var file: WavFile?
    private var hasFormat = false
    private var headerUpdatedAt = MonotonicTime(nanoseconds: 0)

    /// Opens nothing yet.
    init(path: String, rate: Int?, channels: Int?) {
        self.path = path
        self.rate = rate
        self.channels = channels
    }

    /// Begins the file anew, once. Throws when it cannot be written.
    func begin() throws(SinkFailure) {
        guard file == nil else { return }
        do { file = try WavFile(path: path) } catch { throw .gone(error.description) }
    }

    /// The file's format, which the first source gives as far as nothing overrides it.
    func format(for source: AudioFormat) throws(SinkFailure) -> AudioFormat {
        try begin()
        if !hasFormat {
            hasFormat = true
            file?.setFormat(
                AudioFormat(
                    sampleRate: rate ?? source.sampleRate, channels: channels ?? source.channels))
        }
        return file?.format ?? source
    }

    /// Adds samples. Throws when the disk is full or gone.
    func append(_ samples: UnsafeRawBufferPointer) throws(SinkFailure) {
        do { try unsafe file?.append(samples: samples) } catch {
            throw .gone("\(path): \(error.reason)")
        }
        updateHeader(at: .now)
    }

    /// Makes the header tell what is there.
    func rest() { file?.updateHeader() }

    /// The file is continued by what plays next.
    func close() { rest() }

    var description: String { "wav file \(path)" }

    /// At most once a second, so that a killed daemon leaves a file that plays.
    private func updateHeader(at now: MonotonicTime) {
        guard now - headerUpdatedAt >= .seconds(1) else { return }
        headerUpdatedAt = now
        file?.updateHeader()
    }
}
