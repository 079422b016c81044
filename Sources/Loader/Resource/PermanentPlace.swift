/// How far a resource has moved for good.
enum PermanentPlace: Equatable {
    /// It was not redirected.
    case first
    /// All redirects so far were permanent, the last one to here.
    case moved(RemoteURL)
    /// Further ones were for this time only.
    case ended(RemoteURL?)

    /// The URL that is to be asked from now on; nil for the first.
    var url: RemoteURL? {
        switch self {
        case .first: nil
        case .moved(let url): url
        case .ended(let url): url
        }
    }

    /// A redirect leads on, for good by its status or for this time. Source: RFC 9110, 15.4.2 and 15.4.9.
    mutating func follow(_ target: RemoteURL, status: Int) {
        if case .ended = self { return }
        self = status == 301 || status == 308 ? .moved(target) : .ended(url)
    }
}
