import Base
import CCurl

/// How a transfer ended.
enum TransferOutcome: Equatable, Sendable {
    case complete
    /// It broke; `reason` follows the URL in a sentence.
    case broken(PlaybackFailure.Code, reason: String)
    /// Its head could not be understood; `isLength` when its `Content-Length` is to blame.
    case misunderstood
    /// The server closed without a word.
    case silent
    /// Its body is not encoded as its head says, or in a way that nobody knows.
    case misencoded

    /// Reads curl's result. `detail` is curl's own text, used where it names no URL.
    init(_ result: CURLcode, detail: String) {
        switch result {
        case CURLE_OK: self = .complete
        case CURLE_COULDNT_RESOLVE_HOST: self = .broken(.noSuchHost, reason: "names a host that is not known")
        case CURLE_COULDNT_RESOLVE_PROXY:
            self = .broken(.noSuchHost, reason: "needs a proxy whose name is not known")
        case CURLE_COULDNT_CONNECT:
            self = .broken(.unreachable, reason: "cannot be reached: \(Self.words(detail))")
        case CURLE_OPERATION_TIMEDOUT: self = .broken(.timeout, reason: "could not be connected to in time")
        case CURLE_URL_MALFORMAT: self = .broken(.unsupportedFormat, reason: "is not a valid URL")
        // The scheme was looked at before: it is the answer's.
        case CURLE_UNSUPPORTED_PROTOCOL:
            self = .broken(.httpError, reason: "was answered in a version of HTTP that is not known")
        case CURLE_BAD_CONTENT_ENCODING: self = .misencoded
        case CURLE_WEIRD_SERVER_REPLY: self = .misunderstood
        // With TLS 1.3 a server tells only after the handshake that it wants a certificate.
        case CURLE_RECV_ERROR where detail.contains("certificate"),
            CURLE_SEND_ERROR where detail.contains("certificate"):
            self = .broken(.tls, reason: "has no trustworthy TLS: \(detail)")
        case CURLE_GOT_NOTHING: self = .silent
        case CURLE_PARTIAL_FILE, CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_HTTP2, CURLE_HTTP2_STREAM:
            self = .broken(.unreachable, reason: "broke off")
        case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM,
            CURLE_SSL_CIPHER, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR,
            CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_ENGINE_INITFAILED, CURLE_USE_SSL_FAILED:
            self = .broken(.tls, reason: "has no trustworthy TLS: \(detail)")
        default: self = .broken(.internal, reason: "could not be loaded: \(Self.text(of: result))")
        }
    }

    /// curl's words for a code.
    private static func text(of result: CURLcode) -> String {
        unsafe jb_curl_easy_strerror(result).map { unsafe String(cString: $0) } ?? "unknown error"
    }

    /// The reason at the end of curl's sentence, such as "Connection refused".
    private static func words(_ detail: String) -> String {
        guard let colon = detail.lastIndex(of: ":") else { return "connecting failed" }
        let words = detail[detail.index(after: colon)...].drop { $0 == " " }
        return words.isEmpty ? "connecting failed" : String(words)
    }
}
