import Base

/// Makes of what a list says a URL or path that can be opened, or says why not.
struct PlaylistResolver {
    let origin: PlaylistOrigin
    /// True for formats whose locations are URLs even where the list is a file.
    let isOfURLs: Bool
    let exists: (String) -> Bool
    private let base: URLReference
    private let ancestors: Set<String>

    init(origin: PlaylistOrigin, isOfURLs: Bool, exists: @escaping (String) -> Bool) {
        self.origin = origin
        self.isOfURLs = isOfURLs
        self.exists = exists
        base = URLReference(origin.url)
        ancestors = Set(origin.ancestors.map(Self.key) + [Self.key(origin.url)])
    }

    /// Adds the member if one of its locations can be used; notes those that cannot.
    func resolve(_ member: PlaylistMember, into members: inout [Playlist.Member], _ refusals: inout Refusals)
    {
        var urls: [String] = []
        for location in member.locations {
            switch url(of: location) {
            case .success(let url): if !urls.contains(url) { urls.append(url) }
            case .failure(let refusal): refusals.add(refusal.leftOut(Self.shown(location)))
            }
        }
        guard let first = urls.first else { return }
        let mirrors = Self.isRemote(first) ? urls.dropFirst().filter(Self.isRemote) : []
        members.append(
            Playlist.Member(
                url: first, mirrors: mirrors, title: member.title, artist: member.artist, album: member.album,
                duration: member.duration, isEndless: member.isEndless, isFolder: member.isFolder))
    }

    // MARK: Rules

    private struct Refusal: Error {
        let code: PlaybackFailure.Code
        let reason: String

        func leftOut(_ location: String) -> Playlist.LeftOut {
            Playlist.LeftOut(location: location, code: code, reason: reason)
        }
    }

    private func url(of location: String) -> Result<String, Refusal> {
        guard !location.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
            return .failure(Refusal(code: .denied, reason: "holds a control character"))
        }
        let reference = URLReference(location)
        let scheme = reference.scheme ?? ""
        let result: Result<String, Refusal> =
            if scheme == "http" || scheme == "https" {
                remote(reference)
            } else if scheme == "file" {
                file(location, reference)
            } else if let reason = Self.refusal(of: reference, location) {
                .failure(Refusal(code: .unsupportedFormat, reason: reason))
            } else {
                relative(location)
            }
        guard case .success(let url) = result else { return result }
        if url.utf8.count > PlaylistText.longestLine {
            return .failure(Refusal(code: .denied, reason: "is too long for a URL"))
        }
        if ancestors.contains(Self.key(url)) {
            return .failure(Refusal(code: .tooManyRedirects, reason: "is a playlist that it is part of"))
        }
        return result
    }

    /// What has a scheme that cannot be; nil for what may be a name with a colon in it.
    private static func refusal(of reference: URLReference, _ location: String) -> String? {
        if location.hasPrefix("\\\\") { return "is a path of Windows" }
        guard let scheme = reference.scheme else { return nil }
        if scheme.utf8.count == 1, "\\/".utf8.contains(location.utf8.dropFirst(2).first ?? 0) {
            return "is a path of Windows"
        }
        let known = ["about", "data", "javascript", "mailto", "urn", "spotify"]
        guard reference.authority != nil || known.contains(scheme) else { return nil }
        return "has the scheme \(scheme.prefix(20)), which is not supported"
    }

    private func remote(_ reference: URLReference) -> Result<String, Refusal> {
        WebAddress.checked(reference, mayLeadToThisMachine: origin.mayLeadToThisMachine).mapError { refusal in
            switch refusal {
            case .namesNoHost: Refusal(code: .unsupportedFormat, reason: "names no host")
            case .isThisMachine: Refusal(code: .denied, reason: "lies on this machine or its link")
            }
        }
    }

    private func file(_ location: String, _ reference: URLReference) -> Result<String, Refusal> {
        guard case .file = origin.place else {
            return .failure(
                Refusal(code: .denied, reason: "is a local file, which a list of the network may not name"))
        }
        let host = reference.authority?.lowercased() ?? ""
        guard host.isEmpty || host == "localhost", reference.path.hasPrefix("/") else {
            return .failure(Refusal(code: .unsupportedFormat, reason: "is not of the form file:///path"))
        }
        // Some write their paths into it without encoding them.
        var rest = Substring(location.dropFirst("file:".count))
        if rest.hasPrefix("//") { rest = rest.dropFirst(2 + host.utf8.count) }
        return .success(
            existing([
                PercentEncoding.decodedText(reference.path), String(rest),
                PercentEncoding.decodedText(String(rest)),
            ]))
    }

    private func relative(_ location: String) -> Result<String, Refusal> {
        switch origin.place {
        case .network:
            // A name may hold a colon, which does not make a scheme of what is before it.
            let isName = URLReference(location).scheme != nil
            return remote(URLReference(isName ? "./" + location : location).resolved(against: base))
        case .file(let path):
            let folder = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path[...$0] } ?? "/"
            let names =
                isOfURLs
                ? [PercentEncoding.decodedText(location), location]
                : [location, PercentEncoding.decodedText(location)]
            let slashed =
                location.contains("\\") ? [location.map { $0 == "\\" ? "/" : String($0) }.joined()] : []
            return .success(existing((names + slashed).map { $0.hasPrefix("/") ? $0 : folder + $0 }))
        }
    }

    /// The first of some paths that is there, else the first; only where there is a choice the disk is asked.
    private func existing(_ paths: [String]) -> String {
        var choices: [String] = []
        for path in paths.map(URLReference.withoutDots) where !choices.contains(path) { choices.append(path) }
        guard choices.count > 1 else { return choices.first ?? "/" }
        return choices.first(where: exists) ?? choices[0]
    }

    // MARK: Names

    private static func isRemote(_ url: String) -> Bool { url.utf8.first != UInt8(ascii: "/") }

    /// What two URLs of the same thing have in common.
    private static func key(_ url: String) -> String {
        guard isRemote(url), let mark = url.utf8.firstIndex(of: UInt8(ascii: "#")) else { return url }
        return String(url[..<mark])
    }

    private static func shown(_ location: String) -> String {
        let shown = URLMask.shown(ShownText.line(location) ?? "")
        return shown.utf8.count > 120 ? shown.prefix(100) + "…" : shown
    }
}
