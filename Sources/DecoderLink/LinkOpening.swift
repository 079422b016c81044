/// What the decoder is told of a resource that it is to open.
package struct LinkOpening: Equatable, Sendable {
    /// Nil when unknown or endless.
    package var length: Int?
    /// True when bytes can be had from any offset, at once or once they have come.
    package var isSeekable: Bool
    /// True when they can be had from any offset at once.
    package var hasRanges: Bool
    /// True for a station: little is looked at before it is heard.
    package var isLive: Bool
    /// How its name ends, without the dot, as a hint where the bytes say too little; may be empty.
    package var ending: String

    package init(
        length: Int?, isSeekable: Bool, hasRanges: Bool, isLive: Bool, ending: String
    ) {
        self.hasRanges = hasRanges
        self.length = length
        self.isSeekable = isSeekable
        self.isLive = isLive
        self.ending = ending
    }

    package var bytes: [UInt8] {
        var writer = LinkTextWriter()
        writer.add(length ?? -1)
        writer.add(isSeekable ? 1 : 0)
        writer.add(hasRanges ? 1 : 0)
        writer.add(isLive ? 1 : 0)
        writer.add(Array(ending.utf8))
        return writer.bytes
    }

    package init?(_ bytes: [UInt8]) {
        var reader = LinkTextReader(bytes)
        guard let length = reader.number(), let isSeekable = reader.number(),
            let hasRanges = reader.number(), let isLive = reader.number(), let ending = reader.text()
        else { return nil }
        self.length = length < 0 ? nil : length
        self.isSeekable = isSeekable != 0
        self.hasRanges = hasRanges != 0
        self.isLive = isLive != 0
        self.ending = String(decoding: ending, as: UTF8.self)
    }
}
