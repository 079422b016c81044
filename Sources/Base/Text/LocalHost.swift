/// Names of this machine and of addresses on its link, as far as a name tells.
package enum LocalHost {
    /// True for `localhost`, 127.0.0.0/8, 169.254.0.0/16, ::1, fe80::/10 and what is mapped to them.
    package static func isMeant(by hostAndPort: some StringProtocol) -> Bool {
        var host = hostAndPort.lowercased()
        if host.hasPrefix("[") {
            host = String(host.dropFirst().prefix { $0 != "]" })
            if host.hasPrefix("::ffff:") { host = String(host.dropFirst(7)) }
            return host == "::1" || host == "::" || isLinkLocal(host) || isLocalIPv4(host)
        }
        host = String(host.prefix { $0 != ":" })
        while host.hasSuffix(".") { host.removeLast() }
        return host == "localhost" || host.hasSuffix(".localhost") || isLocalIPv4(host)
    }

    private static func isLinkLocal(_ host: String) -> Bool {
        ["fe8", "fe9", "fea", "feb"].contains { host.hasPrefix($0) }
    }

    private static func isLocalIPv4(_ host: String) -> Bool {
        let isAddress = host.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2E }
        return isAddress && (host.hasPrefix("127.") || host.hasPrefix("169.254.") || host.hasPrefix("0."))
    }
}
