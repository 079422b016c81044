import DecoderLink

/// All sound of a resource: of one stream, or of several that are chained.
final class Chain {
    private struct Part {
        let window: Range<Int>?
        /// In seconds.
        let duration: Double
        var start = 0.0
    }

    private let link: DaemonLink
    private let opening: LinkOpening
    private var parts: [Part] = []
    private var index = 0
    /// The stream that is at hand.
    private(set) var sound: Sound
    private(set) var tags: SoundTags
    /// What is told of all of it.
    private(set) var information: LinkInformation
    /// True when another stream has begun whose tags were not told.
    private var hasNews = false

    init(_ link: DaemonLink, _ opening: LinkOpening) throws(Stop) {
        self.link = link
        self.opening = opening
        var windows: [Range<Int>?] = [nil]
        if opening.hasRanges, let length = opening.length {
            let found = try OggLinks.find(link, length: length)
            if found.count > 1 { windows = found }
        }
        var first: (Sound, SoundTags, LinkInformation)?
        var isEstimated = false
        for window in windows {
            let (sound, tags, information) = try Self.open(link, opening, window)
            first = first ?? (sound, tags, information)
            isEstimated = isEstimated || information.traits.contains(.isEstimated)
            let before = parts.last.map { $0.start + $0.duration } ?? 0
            let duration = Double(information.frames) / Double(max(1, information.sampleRate))
            parts.append(Part(window: window, duration: duration, start: before))
        }
        guard let first else { throw .failed(.noSound) }
        (sound, tags, information) = first
        if parts.count > 1, let last = parts.last {
            information.frames = Int((last.start + last.duration) * Double(information.sampleRate) + 0.5)
            if isEstimated { information.traits.insert(.isEstimated) }
        }
    }

    private static func open(_ link: DaemonLink, _ opening: LinkOpening, _ window: Range<Int>?)
        throws(Stop) -> (Sound, SoundTags, LinkInformation)
    {
        let sound = try Sound(Demuxer(link, opening, window))
        let tags = SoundTags(sound.demuxer)
        let description = SoundDescription(sound, opening, tags)
        sound.lastFrame = description.lastFrame
        return (sound, tags, description.information)
    }

    /// What the next samples are; nil at the end of all.
    func next() throws(Stop) -> Sound.Form? {
        while true {
            if let form = try sound.next() { return form }
            guard index + 1 < parts.count else { return nil }
            try goTo(index + 1)
        }
    }

    private func goTo(_ other: Int) throws(Stop) {
        (sound, tags, _) = try Self.open(link, opening, parts[other].window)
        index = other
        hasNews = true
    }

    /// True when something else may be told of what comes next.
    var mayHaveNews: Bool { hasNews || tags.isUpdated }

    /// What is told of what comes next, where that is another text than before; nil else.
    func news() -> LinkFields? {
        if hasNews {
            hasNews = false
            return tags.fields
        }
        return tags.news()
    }

    /// Goes to a frame, in the form at hand; returns the one that comes next, and whether that is certain.
    func seek(toFrame target: Int) throws(Stop) -> (frame: Int, isExact: Bool) {
        guard parts.count > 1 else { return try sound.seek(toFrame: target) }
        let rate = Double(sound.form.sampleRate)
        let seconds = Double(target) / rate
        let part = parts.lastIndex { $0.start <= seconds } ?? 0
        if part != index { try goTo(part) }
        let own = Double(sound.form.sampleRate)
        let start = parts[part].start
        let (landed, isExact) = try sound.seek(toFrame: Int(max(0, seconds - start) * own + 0.5))
        return (Int((start + Double(landed) / own) * rate + 0.5), isExact)
    }
}
