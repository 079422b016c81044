package import Base

/// How far a download has come, by its properties.
package struct DownloadProgress: Equatable, Sendable {
    /// The words of the protocol.
    package enum State: String, Sendable {
        case queued, running, finished, failed
    }

    /// The item's.
    package let id: Int64
    package let state: State
    /// In bytes.
    package let received: Double?
    /// 0 to 1; nil where its size is not known.
    package let fraction: Double?
    /// Why it failed.
    package let failure: String?

    /// Reads `downloads.ID.*` among observed properties; nil where there is no such download.
    package init?(_ id: Int64, in values: [String: JSONValue]) {
        func value(_ name: String) -> JSONValue? { values["downloads.\(id).\(name)"] }
        guard case .string(let word)? = value("state"), let state = State(rawValue: word) else { return nil }
        self.id = id
        self.state = state
        received = value("received")?.number
        fraction = value("fraction")?.number.flatMap { $0.isFinite ? max(0, min(1, $0)) : nil }
        let error = value("error")
        failure = PlainText.line(error?["message"]) ?? PlainText.line(error)
    }

    /// All downloads among observed properties, in the order of their items.
    package static func all(in values: [String: JSONValue]) -> [DownloadProgress] {
        values.keys.filter { $0.hasPrefix("downloads.") && $0.hasSuffix(".state") }
            .compactMap { Int64($0.dropFirst("downloads.".count).dropLast(".state".count)) }.sorted()
            .compactMap { DownloadProgress($0, in: values) }
    }

    /// True when nothing will become of it any more.
    package var isSettled: Bool { state == .finished || state == .failed }

    /// In hundredths; nil where its size is not known.
    package var percent: Int? { state == .finished ? 100 : fraction.map { Int($0 * 100) } }
}
