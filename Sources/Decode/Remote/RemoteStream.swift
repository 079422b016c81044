/// What the process reads as one stream, and where that lies in the source.
///
/// A stream that is begun further on has the head of its own before it.
struct RemoteStream {
    /// Bytes of the head that is put before the rest.
    private(set) var preface: [UInt8] = []
    /// The source's offset of the first byte behind that.
    private(set) var start: Int64 = 0
    /// True when the process may read at any place.
    var isInRandomOrder = false
    /// Where it reads on else.
    var nextPlace: Int64 = 0
    /// Of Ogg that has to be read in order.
    var pages: OggPages?
    /// The source's offset at which another stream is chained to this one.
    var link: Int64?

    init() {}

    /// Begins at an offset of the source.
    init(at start: Int64, preface: [UInt8] = []) {
        self.start = start
        self.preface = preface
    }

    /// The source's offset of a place in the stream; the start for all of the preface.
    func offset(of place: Int64) -> Int64 { start &+ max(0, place &- Int64(preface.count)) }

    /// Writes what the preface has from a place on; 0 behind it.
    func readPreface(at place: Int64, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        guard place < Int64(preface.count) else { return 0 }
        let part = preface[Int(place)...].prefix(buffer.count)
        unsafe buffer.copyBytes(from: part)
        return part.count
    }
}
