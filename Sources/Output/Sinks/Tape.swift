import Base

/// Where a clock's frames go when they are due. Belongs to one output thread; nothing here waits.
protocol Tape: AnyObject {
    /// How samples are stored.
    var encoding: SampleEncoding { get }

    /// True where a pause need not leave every sample as it is, so that it may fade.
    var allowsFades: Bool { get }

    /// What keeps the sound from being heard although it is taken; nil for nothing.
    var trouble: String? { get }

    /// True while the reader takes less than is due: its clock is the slower one.
    var isBehind: Bool { get }

    /// Kind and place in a few words for people.
    var description: String { get }

    /// Begins, before there is anything to play. Throws when it cannot be written to.
    func begin() throws(SinkFailure)

    /// The format for that source. Throws when it cannot be written to.
    func format(for source: AudioFormat) throws(SinkFailure) -> AudioFormat

    /// The clock starts: frames come from now on.
    func start() throws(SinkFailure)

    /// Takes frames that are due.
    func append(_ samples: UnsafeRawBufferPointer) throws(SinkFailure)

    /// The clock stands.
    func rest()

    /// Nothing is played for now.
    func close()

    /// Lets go all that is held.
    func leave()
}

extension Tape {
    var trouble: String? { nil }
    var isBehind: Bool { false }
    func start() {}
    func leave() { close() }
}
