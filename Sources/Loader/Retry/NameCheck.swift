import Base
import CLinux
import Glibc

/// Tells apart a name that does not exist from one that nobody can be asked about now; curl does not.
final class NameCheck: Sendable {
    enum Verdict: Sendable {
        case known
        /// Those who know say that there is none of that name.
        case unknown
        /// No name server answered, or none can be reached.
        case nobodyToAsk
    }

    private let queue = JobQueue(name: "jb-names")

    /// Looks the name up on a thread of its own, which may take as long as name servers are given.
    func ask(_ host: String, _ answer: @escaping @Sendable (Verdict) -> Void) {
        do throws(SystemError) {
            try queue.run { answer(Self.verdict(on: host)) }
        } catch {
            answer(.unknown)
        }
    }

    static func verdict(on host: String) -> Verdict {
        // Reserved: it never exists, also where nobody can be asked (RFC 6761, section 6.4).
        if host == "invalid" || host.hasSuffix(".invalid") { return .unknown }
        var code = unsafe jb_look_up(host)
        // Names of the local network are answered for by nobody while there is none.
        if code == EAI_NONAME, !NetworkWatch.hasDefaultRoute { code = EAI_AGAIN }
        return switch code {
        case 0: .known
        case EAI_AGAIN, EAI_SYSTEM: .nobodyToAsk
        default: .unknown
        }
    }
}
