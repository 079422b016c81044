import Base

/// What the head of a response means for a request: what it says is believed over what was asked.
enum Answer: Equatable, Sendable {
    /// The body follows; its first byte has that offset in the resource.
    case data(from: Int64)
    /// There is nothing from the asked offset on: the resource has that many bytes.
    case end(Int64)
    /// The server does not like ranges: ask again without.
    case askPlainly
    case redirect
    /// What is here is what the server has.
    case notModified
    /// Another version of the resource than the one that is here.
    case changed
    case failed(PlaybackFailure.Code, String)

    /// What earlier answers told of the resource; all nil and false before the first.
    struct Known: Equatable, Sendable {
        var length: Int64?
        var validator = Validator()
        var isLive = false
        /// True when bytes were stored.
        var hasBytes = false
    }

    /// Reads a head.
    init(_ head: ResponseHead, to request: LoadingRequest, known: Known) {
        switch head.status {
        case 206: self = Self.partial(head, request, known)
        case 204, 205: self = .failed(.empty, "has nothing in it (HTTP status \(head.status))")
        case 0, 200...299:
            let length = head.contentLength
            let hasOtherLength = known.length != nil && length != nil && known.length != length
            let isOther = hasOtherLength || known.validator.contradicts(head.validator)
            self = known.hasBytes && !known.isLive && isOther ? .changed : .data(from: 0)
        case 300...303, 307...308:
            self = head["location"]?.isEmpty == false ? .redirect : Self.refusal(head, request)
        case 304 where request.unless != nil: self = .notModified
        case 416: self = Self.unsatisfiable(head, request, known)
        default: self = Self.refusal(head, request)
        }
    }

    private static func partial(_ head: ResponseHead, _ request: LoadingRequest, _ known: Known) -> Answer {
        guard let range = head.contentRange, let bytes = range.bytes else {
            return request.isRanged ? .askPlainly : .data(from: 0)
        }
        let hasOtherLength = known.length != nil && range.total != nil && known.length != range.total
        if known.hasBytes, hasOtherLength || known.validator.contradicts(head.validator) { return .changed }
        // Places in a compressed part count bytes of the compressed whole.
        let isPlaced = bytes.lowerBound <= request.offset && !(head.isEncoded && bytes.lowerBound > 0)
        if isPlaced { return .data(from: bytes.lowerBound) }
        return request.isRanged
            ? .askPlainly : .failed(.httpError, "was answered with another part than the one asked for")
    }

    private static func unsatisfiable(_ head: ResponseHead, _ request: LoadingRequest, _ known: Known)
        -> Answer
    {
        let total = head.contentRange?.total ?? known.length
        if !request.isRanged, request.offset > 0 { return refusal(head, request) }
        guard request.isRanged, total != request.offset else {
            return request.offset == 0 ? .failed(.empty, "has nothing in it") : .end(request.offset)
        }
        if request.offset == 0 { return .askPlainly }
        // Without a total it can only mean that the bytes so far were all.
        guard let total else { return known.hasBytes ? .end(request.offset) : .askPlainly }
        return total < request.offset ? .changed : .askPlainly
    }

    private static func refusal(_ head: ResponseHead, _ request: LoadingRequest) -> Answer {
        // What asks for patience would not have given it without a range either; 5xx says nothing for good.
        let isAboutRange =
            (400...499).contains(head.status) && ![401, 404, 407, 410, 429].contains(head.status)
            && head["retry-after"] == nil
        if request.isRanged, request.offset == 0, isAboutRange { return .askPlainly }
        return switch head.status {
        case 401: .failed(.unauthorized, "wants a user and password (HTTP status 401)")
        case 403: .failed(.forbidden, "may not be had (HTTP status 403)")
        case 404: .failed(.notFound, "does not exist on its server (HTTP status 404)")
        case 410: .failed(.gone, "does not exist any more (HTTP status 410)")
        default: .failed(.httpError, "was answered with HTTP status \(head.status)")
        }
    }
}
