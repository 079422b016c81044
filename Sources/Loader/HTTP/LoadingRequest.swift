/// What one transfer asks a server for.
struct LoadingRequest: Sendable {
    var url: RemoteURL
    /// The first byte that is wanted; 0 for a live stream.
    var offset: Int64 = 0
    /// True when a `Range` is sent: `bytes=offset-`.
    var isRanged = true
    /// The byte after the last one that is wanted; nil for all that follow.
    var end: Int64?
    /// The validator that the range depends on; nil for none.
    var ifRange: String?
    /// What is here already, to be sent only if it changed; nil for none.
    var unless: Validator?
    /// What the user gave for the URL's origin.
    var credentials = RequestCredentials()
    /// Cookies that the URL's origin has set before, as curl writes them.
    var cookies: [String] = []
    /// False when a loopback or link-local address must not be talked to.
    var mayBeLocal = true
    /// True when it is asked for as a folder: by PROPFIND, for what is in it.
    var isFolder = false
    /// True when it is to be read as text, not heard.
    var isDocument = false
    var quirks = Quirks()

    /// What of a server's heads is not to be believed, as was found out.
    struct Quirks: Equatable, Sendable {
        /// A `Content-Length` that nobody can read.
        var ignoresLength = false
        /// A `Content-Encoding` that the body does not have, or that is not known.
        var ignoresEncoding = false
    }

    /// What PROPFIND asks for: all that is needed to tell music from the rest.
    static let folderQuestion = """
        <?xml version="1.0" encoding="utf-8"?><D:propfind xmlns:D="DAV:"><D:prop><D:resourcetype/>\
        <D:getcontenttype/></D:prop></D:propfind>
        """

    /// Names whose nonce can be used, where Digest is; nil for other requests.
    var digestName: String? {
        guard credentials.isDigest, let login = credentials.login else { return nil }
        return "\(url.origin) \(login.user)"
    }

    /// The header lines to send, those of the user last.
    var lines: [String] {
        // Bodies that are compressed all the same get decoded by curl.
        var lines = ["Icy-MetaData: 1", "Accept-Encoding: identity", "Accept: */*"]
        if isDocument {
            // Some publishers give others a page to look at.
            lines = [
                "Accept-Encoding: gzip, deflate",
                "Accept: application/rss+xml, application/atom+xml, application/xml;q=0.9, text/xml;q=0.9, */*;q=0.8",
            ]
        }
        if isFolder {
            lines[0] = "Depth: 1"
            lines.append("Content-Type: application/xml; charset=utf-8")
        } else if isRanged {
            lines.append("Range: bytes=\(offset)-" + (end.map { "\($0 - 1)" } ?? ""))
            if let ifRange { lines.append("If-Range: \(ifRange)") }
        }
        if let etag = unless?.etag {
            lines.append("If-None-Match: \(etag)")
        } else if let date = unless?.lastModified {
            lines.append("If-Modified-Since: \(date)")
        }
        for (name, value) in credentials.headers where Self.isUsers(name) && Self.isClean(value) {
            if name.lowercased() == "accept" { lines.removeAll { $0.hasPrefix("Accept:") } }
            // An empty value needs curl's own form (CURLOPT_HTTPHEADER(3)).
            lines.append(value.isEmpty ? "\(name);" : "\(name): \(value)")
        }
        return lines
    }

    /// True for a header name that is one, and that does not belong to the loader.
    static func isUsers(_ name: String) -> Bool {
        let own: Set<String> = [
            "range", "if-range", "if-none-match", "if-modified-since", "if-match", "if-unmodified-since",
            "depth", "content-type", "icy-metadata", "accept-encoding", "connection", "content-length", "te",
            "transfer-encoding", "upgrade",
        ]
        return isName(name) && !own.contains(name.lowercased())
    }

    /// True for a token (RFC 9110, section 5.6.2).
    static func isName(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.count <= 256
            && name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f && !#""(),/:;<=>?@[\]{}"#.utf8.contains($0) }
    }

    /// True for a header value without line breaks and other control characters.
    static func isClean(_ value: String) -> Bool {
        value.utf8.count <= 16_384 && value.utf8.allSatisfy { ($0 >= 0x20 && $0 != 0x7f) || $0 == 0x09 }
    }
}
