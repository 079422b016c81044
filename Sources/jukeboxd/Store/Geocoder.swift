import Base
import Loader
import Wire

/// Asks a service that speaks as Nominatim does where an address lies, on a thread of its own, one after the other.
/// Source: https://nominatim.org/release-docs/latest/api/Search/ and the usage policy of OpenStreetMap's.
final class Geocoder: Sendable {
    enum Answer: Equatable, Sendable {
        case found(latitude: Double, longitude: Double)
        case nothing
    }

    /// At most one request a second.
    private static let pace = Duration.seconds(1)
    private static let patience = Duration.seconds(20)
    private static let longest = 256 << 10

    private let url: String
    private let loader: Loader
    private let jobs = JobQueue(name: "jb-places")
    private let last = Guarded<MonotonicTime?>(nil)

    /// `url` is that of the service's search.
    init(url: String, loader: Loader) {
        self.url = url
        self.loader = loader
    }

    /// Asks; `done` hears the answer, or nil where there was none, on the geocoder's thread.
    func ask(_ address: String, done: @escaping @Sendable (Answer?) -> Void) {
        do throws(SystemError) {
            try jobs.run { [self] in
                waitForTurn()
                done(answer(address))
            }
        } catch {
            done(nil)
        }
    }

    private func waitForTurn() {
        let turn = last.withLock { $0.map { $0 + Self.pace } }
        if let turn, turn > .now { WakePoint().wait(until: turn) }
        last.withLock { $0 = .now }
    }

    private func answer(_ address: String) -> Answer? {
        let separator = url.contains("?") ? "&" : "?"
        let question = "\(url)\(separator)format=jsonv2&limit=1&q=\(PercentEncoding.encoded(address.utf8))"
        guard let bytes = contents(of: question), let value = try? JSONParser.parse(bytes) else { return nil }
        return Self.read(value)
    }

    /// What the service's list begins with; nil for what is no list.
    static func read(_ value: JSONValue) -> Answer? {
        guard case .array(let places) = value else { return nil }
        guard let first = places.first else { return .nothing }
        guard let latitude = number(first["lat"]), let longitude = number(first["lon"]),
            (-90...90).contains(latitude), (-180...180).contains(longitude)
        else { return nil }
        return .found(latitude: latitude, longitude: longitude)
    }

    private static func number(_ value: JSONValue?) -> Double? {
        if case .string(let text)? = value { return Double(text) }
        return value?.number
    }

    private func contents(of question: String) -> [UInt8]? {
        let source = loader.open(url: question, document: DocumentEdition()) { _ in }
        defer { source.close() }
        return source.contents(atMost: Self.longest, until: .now + Self.patience)
    }
}
