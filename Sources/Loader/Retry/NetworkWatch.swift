import Base
import CLinux
import Glibc

/// Hears from the kernel when an address or a route comes; open only while something waits for it, so that an
/// idle daemon is not woken. Source: rtnetlink(7).
struct NetworkWatch: ~Copyable {
    private let socket: FileDescriptor

    /// Listens. Throws where the system does not allow it.
    init() throws(SystemError) {
        socket = FileDescriptor(owning: try System.check("netlink") { jb_netlink_open() })
    }

    /// Readable when there is something to `take`.
    var descriptor: Int32 { socket.raw }

    /// Takes what was told; true when something came that may lead somewhere.
    func take() -> Bool { jb_netlink_take(socket.raw) != 0 }

    /// True when some network is the way to all others.
    static var hasDefaultRoute: Bool {
        let v4 = (try? System.contents(of: "/proc/net/route", limit: 1 << 20)) ?? []
        let v6 = (try? System.contents(of: "/proc/net/ipv6_route", limit: 1 << 20)) ?? []
        return hasDefaultRoute(
            v4: String(decoding: v4, as: UTF8.self), v6: String(decoding: v6, as: UTF8.self))
    }

    /// The same by the texts of the two tables. Source: proc_net(5); RTF_UP is 1, RTF_REJECT is 0x200.
    static func hasDefaultRoute(v4: String, v6: String) -> Bool {
        func flags(_ text: Substring) -> UInt32 { UInt32(text, radix: 16) ?? 0 }
        let hasV4 = v4.split(separator: "\n").dropFirst().contains { line in
            let fields = line.split { $0 == "\t" || $0 == " " }
            return fields.count > 7 && fields[1] == "00000000" && fields[7] == "00000000"
                && flags(fields[3]) & 0x201 == 1
        }
        return hasV4
            || v6.split(separator: "\n").contains { line in
                let fields = line.split(separator: " ")
                return fields.count > 9 && fields[1] == "00" && fields[9] != "lo"
                    && fields[0].allSatisfy { $0 == "0" } && flags(fields[8]) & 0x201 == 1
            }
    }
}
