/// What a document of others may name: the rules of the protocol, as far as a name tells.
package enum WebAddress {
    /// Why a name is not followed.
    package enum Refusal: Error {
        case namesNoHost
        case isThisMachine
    }

    /// The http(s) URL with the characters encoded that no URL may hold. Fails without a host, and with one of this
    /// machine or its link unless `mayLeadToThisMachine`.
    package static func checked(
        _ reference: URLReference, mayLeadToThisMachine: Bool
    ) -> Result<String, Refusal> {
        let authority = reference.authority ?? ""
        let at = authority.utf8.lastIndex(of: UInt8(ascii: "@"))
        let hostAndPort = at.map { authority[authority.utf8.index(after: $0)...] } ?? authority[...]
        let isOdd = hostAndPort.utf8.contains { $0 <= 0x20 || #""<>\^`{|}%"#.utf8.contains($0) }
        if hostAndPort.isEmpty || hostAndPort.hasPrefix(":") || isOdd { return .failure(.namesNoHost) }
        if !mayLeadToThisMachine, LocalHost.isMeant(by: hostAndPort) { return .failure(.isThisMachine) }
        var clean = reference
        clean.path = PercentEncoding.repaired(reference.path)
        clean.query = reference.query.map { PercentEncoding.repaired($0) }
        clean.fragment = reference.fragment.map { PercentEncoding.repaired($0) }
        return .success(clean.text)
    }
}
