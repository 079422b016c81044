import Base

/// Makes of what a document names a URL or path that can be opened, if it may name it.
struct FeedAddresses {
    /// A longer one is none, in bytes.
    private static let longest = 8192

    private let base: URLReference
    private let isLocal: Bool
    private let mayLeadToThisMachine: Bool

    /// `url` is the document's own.
    init(url: String, mayLeadToThisMachine: Bool) {
        base = URLReference(url)
        isLocal = url.hasPrefix("/")
        self.mayLeadToThisMachine = mayLeadToThisMachine
    }

    private init(base: URLReference, of other: FeedAddresses) {
        self.base = base
        isLocal = other.isLocal
        mayLeadToThisMachine = other.mayLeadToThisMachine
    }

    /// The same for a part of the document that has a base of its own (`xml:base`).
    func within(base text: String) -> FeedAddresses {
        let reference = URLReference(text.trimmingBlanks)
        let isRemote = ["http", "https"].contains(reference.scheme ?? base.scheme ?? "")
        return isRemote ? FeedAddresses(base: reference.resolved(against: base), of: self) : self
    }

    /// An http(s) URL; for a document that is a file a path too. Nil for what it may not name, or what is none.
    func url(_ text: String) -> String? {
        let text = text.trimmingBlanks
        guard !text.isEmpty, text.utf8.count <= Self.longest,
            !text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F })
        else { return nil }
        let reference = URLReference(text)
        switch reference.scheme {
        case "http", "https": return checked(reference)
        case "file": return isLocal ? path(PercentEncoding.decodedText(reference.path)) : nil
        case nil:
            return isLocal && base.scheme == nil ? path(text) : checked(reference.resolved(against: base))
        // Those of podcast programs, which stand for the other two.
        case "feed", "itpc", "pcast", "podcast": return feed(reference, text)
        default: return nil
        }
    }

    private func checked(_ reference: URLReference) -> String? {
        try? WebAddress.checked(reference, mayLeadToThisMachine: isLocal || mayLeadToThisMachine).get()
    }

    private func feed(_ reference: URLReference, _ text: String) -> String? {
        guard reference.authority == nil else {
            var reference = reference
            reference.scheme = "http"
            return checked(reference)
        }
        let inner = URLReference(text.drop { $0 != ":" }.dropFirst())
        return ["http", "https"].contains(inner.scheme) ? checked(inner) : nil
    }

    private func path(_ text: String) -> String? {
        guard !text.hasPrefix("/") else { return URLReference.withoutDots(text) }
        let folder = base.path.utf8.lastIndex(of: UInt8(ascii: "/")).map { base.path[...$0] } ?? "/"
        return URLReference.withoutDots(folder + text)
    }
}
