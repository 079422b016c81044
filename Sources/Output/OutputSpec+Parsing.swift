extension OutputSpec {
    /// The forms of SPEC, for people.
    package static let forms =
        "alsa[:DEVICE], null, null-untimed, wav:PATH, wav-untimed:PATH, fifo:PATH, tcp:HOST:PORT"

    /// A name ends at the first `=`; a `:` before that shows that it belongs to SPEC (`alsa:hw:CARD=PCH`).
    static func split(_ text: String) throws(Failure) -> (String?, Substring) {
        guard let equals = text.firstIndex(of: "="), !text[..<equals].contains(":") else {
            return (nil, text[...])
        }
        let name = text[..<equals]
        if !isName(name) {
            throw Failure(reason: "output name '\(name)' is not 1 to 64 of the characters A-Z a-z 0-9 _ -")
        }
        return (String(name), text[text.index(after: equals)...])
    }
}

extension OutputSpec.Kind {
    private typealias Failure = OutputSpec.Failure

    /// Reads SPEC. Throws what is wrong with it.
    init(parsing spec: Substring) throws(OutputSpec.Failure) {
        let colon = spec.firstIndex(of: ":")
        let rest = colon.map { spec[spec.index(after: $0)...] }
        switch (spec[..<(colon ?? spec.endIndex)], rest) {
        case ("alsa", nil): self = .alsa(device: "default")
        case ("alsa", let device?):
            self = try Self.alsa(device)
        case ("null", nil): self = .null(timed: true)
        case ("null-untimed", nil): self = .null(timed: false)
        case ("wav", let path?): self = try Self.wav(path, timed: true)
        case ("wav-untimed", let path?): self = try Self.wav(path, timed: false)
        case ("fifo", let path?): self = try Self.fifo(path)
        case ("tcp", let address?): self = try Self.tcp(address)
        default: throw Failure(reason: "output '\(spec)' is none of \(OutputSpec.forms)")
        }
    }

    // MARK: Settings

    /// `TEXT?KEY=VALUE&…`: gives each pair to `take`, which returns false for one that it does not know.
    private static func settings(
        _ text: Substring, allowed: String, take: (Substring, Substring) -> Bool
    ) throws(OutputSpec.Failure) -> String {
        guard let question = text.lastIndex(of: "?") else { return String(text) }
        let pairs = text[text.index(after: question)...]
        for pair in pairs.split(separator: "&", omittingEmptySubsequences: false) {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, take(parts[0], parts[1]) else {
                throw Failure(reason: "'\(pair)' is neither \(allowed)")
            }
        }
        return String(text[..<question])
    }

    private static func alsa(_ text: Substring) throws(OutputSpec.Failure) -> Self {
        var alsa = AlsaSettings()
        var mixer = MixerName()
        let allowed = "release_on_pause=true|false nor volume=software|hardware, mixer=CARD, element=NAME"
        let device = try settings(text, allowed: allowed) { key, value in
            switch (key, value) {
            case ("release_on_pause", "true"), ("release_on_pause", "false"):
                alsa.isReleasedOnPause = value == "true"
            case ("volume", "hardware"): alsa.mixer = mixer
            case ("volume", "software"): alsa.mixer = nil
            case ("mixer", let card) where !card.isEmpty: mixer.card = String(card)
            case ("element", let name) where !name.isEmpty: mixer.element = String(name)
            default: return false
            }
            return true
        }
        if device.isEmpty { throw Failure(reason: "'alsa:\(text)' names no device: alsa or alsa:DEVICE") }
        // In any order: a control that is named is wanted.
        if mixer != MixerName() || alsa.mixer != nil { alsa.mixer = mixer }
        return .alsa(device: device, alsa)
    }

    private static func wav(_ text: Substring, timed: Bool) throws(OutputSpec.Failure) -> Self {
        var rate: Int?
        var channels: Int?
        let path = try settings(text, allowed: "rate=8000…384000 nor channels=1…8") { key, value in
            switch (key, Int(value)) {
            case ("rate", let value?) where (8000...384_000).contains(value): rate = value
            case ("channels", let value?) where (1...8).contains(value): channels = value
            default: return false
            }
            return true
        }
        if path.isEmpty { throw Failure(reason: "the wav output names no file: wav:PATH") }
        return .wav(path: path, timed: timed, rate: rate, channels: channels)
    }

    private static func fifo(_ text: Substring) throws(OutputSpec.Failure) -> Self {
        let (path, format) = try stream(text)
        if path.isEmpty { throw Failure(reason: "the fifo output names no FIFO: fifo:PATH") }
        return .fifo(path: path, format)
    }

    private static func tcp(_ text: Substring) throws(OutputSpec.Failure) -> Self {
        let (address, format) = try stream(text)
        guard let colon = address.lastIndex(of: ":"), colon > address.startIndex,
            let port = UInt16(address[address.index(after: colon)...]), port > 0
        else { throw Failure(reason: "'\(address)' is not HOST:PORT, as in tcp:localhost:4953") }
        var host = address[..<colon]
        if host.first == "[", host.last == "]" { host = host.dropFirst().dropLast() }
        return .tcp(host: String(host), port: port, format)
    }

    private static func stream(_ text: Substring) throws(OutputSpec.Failure) -> (String, StreamFormat) {
        var format = StreamFormat.usual
        var lead = format.lead
        let place = try settings(
            text, allowed: "format=RATE:BITS:CHANNELS, such as 48000:16:2, nor lead=20…2000 (milliseconds)"
        ) { key, value in
            if key == "format", let given = StreamFormat(parsing: value) {
                format = given
            } else if key == "lead", let given = Int(value), (20...2000).contains(given) {
                lead = .milliseconds(given)
            } else {
                return false
            }
            return true
        }
        return (place, format.leading(by: lead))
    }
}
