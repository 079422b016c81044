import Base
import CLinux
import Glibc

/// What the service manager is told, by the datagrams of sd_notify(3).
enum ServiceManager {
    /// Ready for clients.
    static func ready() { notify("READY=1") }

    /// Going down in order.
    static func stopping() { notify("STOPPING=1") }

    /// A reload begins; `ready` ends it. Source: systemd.service(5), Type=notify-reload.
    static func reloading() {
        notify("RELOADING=1\nMONOTONIC_USEC=\(MonotonicTime.now.nanoseconds / 1000)")
    }

    private static func notify(_ text: String) {
        guard let path = System.environment("NOTIFY_SOCKET") else { return }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var bytes = Array(path.utf8)
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return }
        // A leading @ stands for the NUL of an abstract name.
        if bytes[0] == UInt8(ascii: "@") { bytes[0] = 0 }
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
        let fd = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard fd >= 0 else { return }
        defer { close(fd) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count)
        let message = Array(text.utf8)
        _ = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { sockaddr in
                unsafe sendto(fd, message, message.count, Int32(MSG_NOSIGNAL), sockaddr, length)
            }
        }
    }
}
