package import Base

/// `player.error`: why something could not be played.
package struct ErrorReport: Equatable, Sendable, JSONRepresentable {
    package let failure: PlaybackFailure
    /// The entry's URL, to be shown masked; nil when it was no entry's fault.
    package let url: String?
    package let entry: Int64?
    /// Unix time in seconds.
    package let at: Double

    package func write(to text: inout JSONText) {
        text.object { text in
            text.member("code", failure.code.rawValue)
            text.member("message", failure.message)
            text.member("url", url.map { URLMask.shown($0) })
            text.member("entry", entry)
            text.member("at", at)
        }
    }
}

/// `player.retry`: a transfer that broke and is tried again.
package struct RetryReport: Equatable, Sendable, JSONRepresentable {
    /// Counts from 1.
    package let attempt: Int
    /// Unix time of the next attempt, in seconds.
    package let at: Double
    package let reason: String

    package func write(to text: inout JSONText) {
        text.object { text in
            text.member("attempt", attempt)
            text.member("at", at)
            text.member("reason", reason)
        }
    }
}

/// `item.timedMetadata`: the raw fields that are heard now.
package struct MetadataReport: Equatable, Sendable, JSONRepresentable {
    package let metadata: TimedMetadata
    /// Unix time in seconds from which it was heard.
    package let at: Double

    package func write(to text: inout JSONText) {
        text.object { text in
            text.member("source", metadata.source.rawValue)
            text.member("fields")
            text.object { text in
                var names: Set<String> = []
                for field in metadata.fields where names.insert(field.name).inserted {
                    text.member(field.name, field.value)
                }
            }
            text.member("at", at)
        }
    }
}

/// Ranges of seconds as `[[from, to]]`.
package struct TimeRanges: Equatable, Sendable, JSONRepresentable {
    package let ranges: [ClosedRange<Double>]

    package init(_ ranges: [ClosedRange<Double>]) { self.ranges = ranges }

    package func write(to text: inout JSONText) {
        [[Double]](ranges.map { [$0.lowerBound, $0.upperBound] }).write(to: &text)
    }
}
