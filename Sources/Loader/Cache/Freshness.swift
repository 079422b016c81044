import Base

/// How long what a server sent may be used without asking again (RFC 9111). Times are unix seconds.
struct Freshness: Equatable, Sendable {
    /// The longest time that a guess from `Last-Modified` is trusted, in seconds.
    private static let longestGuess = 86_400.0

    /// When the answer came.
    var received: Double
    /// Until when it may be used unasked.
    var freshUntil: Double
    /// `no-cache`: never without asking.
    var mustAsk = false
    /// `must-revalidate`: once stale, not even when the server cannot be asked.
    var mustObey = false

    /// A copy that has to be asked about.
    static let none = Freshness(received: 0, freshUntil: 0)

    init(received: Double, freshUntil: Double, mustAsk: Bool = false, mustObey: Bool = false) {
        self.received = received
        self.freshUntil = freshUntil
        self.mustAsk = mustAsk
        self.mustObey = mustObey
    }

    /// Reads an answer's head; `asked` and `received` are when the request went out and the answer came.
    ///
    /// `lastModified` is what an earlier answer told, where this one does not.
    init(_ head: ResponseHead, asked: Double, received: Double, lastModified: String? = nil) {
        let directives = CacheDirectives(head["cache-control"] ?? "")
        let date = head["date"].flatMap(HTTPDate.unixTime) ?? received
        // Section 4.2.3: the larger of what the clocks and what the caches on the way say.
        let told = head.number("age").map { Double($0) } ?? 0
        let age = max(max(0, received - date), told + max(0, received - asked))
        var lifetime = 0.0
        if let seconds = directives.seconds("max-age") {
            lifetime = seconds
        } else if let expires = head["expires"] {
            lifetime = HTTPDate.unixTime(expires).map { $0 - date } ?? 0
        } else if let modified = (head["last-modified"] ?? lastModified).flatMap(HTTPDate.unixTime) {
            lifetime = min(Self.longestGuess, max(0, date - modified) / 10)
        }
        self.init(received: received, freshUntil: received + max(0, lifetime - age))
        let isPragma = head["cache-control"] == nil && head["pragma"]?.lowercased() == "no-cache"
        mustAsk = directives.has("no-cache") || isPragma || head["vary"]?.contains("*") == true
        mustObey = directives.has("must-revalidate")
    }

    /// True when it may be used unasked; a clock that was set back makes it stale.
    func isFresh(at now: Double) -> Bool { !mustAsk && now < freshUntil && now >= received - 1 }

    /// True when it may be used although stale, because nobody can be asked (section 4.2.4).
    var mayServeStale: Bool { !mustAsk && !mustObey }
}

/// The directives of a `Cache-Control` (RFC 9111, section 5.2).
struct CacheDirectives {
    private var values: [String: String] = [:]

    init(_ text: String) {
        for part in text.lowercased().split(separator: ",") {
            let words = part.split(separator: "=", maxSplits: 1)
            guard let first = words.first else { continue }
            let name = first.filter { !$0.isWhitespace }
            let value = words.count > 1 ? words[1].filter { !$0.isWhitespace && $0 != "\"" } : ""
            // Of two the first counts, as for every header here.
            if values[name] == nil { values[name] = value }
        }
    }

    func has(_ name: String) -> Bool { values[name] != nil }

    /// A number of seconds; 0 for one that cannot be read, which section 4.2.1 calls stale; nil when not given.
    func seconds(_ name: String) -> Double? {
        guard let value = values[name] else { return nil }
        guard !value.isEmpty, value.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return 0 }
        return min(Double(value) ?? 0, 2_147_483_648)
    }
}
