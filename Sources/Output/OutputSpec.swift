import Base

/// Where the sound goes, as named on the command line or in the configuration: `[NAME=]SPEC`.
package struct OutputSpec: Equatable, Sendable {
    /// What SPEC names.
    package enum Kind: Equatable, Sendable {
        /// ALSA's `default` where it opens at the first play, else the null output.
        case automatic
        case alsa(device: String, AlsaSettings = AlsaSettings())
        /// Plays to nothing, in real time when `timed`.
        case null(timed: Bool)
        /// A WAV file; `rate` (Hz) and `channels` override the first item's.
        case wav(path: String, timed: Bool, rate: Int?, channels: Int?)
        /// A FIFO that others make and read.
        case fifo(path: String, StreamFormat)
        /// A server that is connected to; what it is sent is sound and nothing else.
        case tcp(host: String, port: UInt16, StreamFormat)

        /// The word for clients: `alsa`, `null`, `wav`, `fifo` or `tcp`.
        package var word: String {
            switch self {
            case .automatic, .alsa: "alsa"
            case .null: "null"
            case .wav: "wav"
            case .fifo: "fifo"
            case .tcp: "tcp"
            }
        }
    }

    /// Why a text is no output; the reason is a sentence for a person.
    package struct Failure: Error, Equatable, CustomStringConvertible {
        package let reason: String
        package var description: String { reason }
    }

    /// Outputs at once, at most: one for each reader of a ring.
    package static let limit = SampleRing.readerLimit

    package let name: String
    package let kind: Kind

    /// The name must match `[A-Za-z0-9_-]{1,64}`.
    package init(name: String, kind: Kind) {
        self.name = name
        self.kind = kind
    }

    /// Reads `[NAME=]SPEC`. Throws what is wrong with it.
    package init(parsing text: String) throws(Failure) {
        let (name, spec) = try OutputSpec.split(text)
        kind = try Kind(parsing: spec)
        self.name = name ?? kind.word
    }

    /// Reads all outputs; none is the automatic one. Throws for a bad one, the same name twice, too many.
    package static func all(parsing texts: [String]) throws(Failure) -> [OutputSpec] {
        if texts.isEmpty { return [OutputSpec(name: "default", kind: .automatic)] }
        if texts.count > limit { throw Failure(reason: "\(texts.count) outputs given, at most \(limit)") }
        var specs: [OutputSpec] = []
        for text in texts {
            let spec = try OutputSpec(parsing: text)
            if specs.contains(where: { $0.name == spec.name }) {
                throw Failure(
                    reason: "two outputs named '\(spec.name)': give each its own, as in NAME=\(text)")
            }
            specs.append(spec)
        }
        return specs
    }

    /// True when the name can be part of a property's key.
    package static func isName(_ text: some StringProtocol) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }
}
