import Base
import CCurl

extension SharedResource {
    /// Notes what happened to the resource, for `explain`. Any thread.
    func note(_ kind: Journal.Kind, _ text: String) { settings.journal?.note(description.given, kind, text) }
}

extension LoadingRequest {
    /// What is asked for, by names only: no value of a header is told.
    var story: String {
        var names = credentials.headers.map(\.0)
        if credentials.login != nil { names.append("Authorization") }
        if ifRange != nil { names.append("If-Range") }
        let extra = names.isEmpty ? "" : ", with " + Set(names).sorted().joined(separator: ", ")
        if isFolder { return "asks \(url.masked) for what is in it, as a folder\(extra)" }
        let from = isRanged ? "bytes from \(offset)" : "all bytes"
        return "asks \(url.masked) for \(from)\(extra)"
    }
}

extension ResponseHead {
    /// What was answered: what matters of it, and the names of all headers.
    var story: String {
        var parts = [isICY ? "ICY \(status)" : status > 0 ? "HTTP status \(status)" : "no head at all"]
        if let contentType { parts.append(contentType) }
        if let range = contentRange, let bytes = range.bytes {
            let total = range.total.map { " of \($0)" } ?? ""
            parts.append("bytes \(bytes.lowerBound) to \(bytes.upperBound)\(total)")
        } else if let length = contentLength {
            parts.append("\(length) bytes")
        } else {
            parts.append("no length")
        }
        if let metadataInterval { parts.append("titles every \(metadataInterval) bytes") }
        if isEncoded { parts.append("compressed") }
        if !names.isEmpty { parts.append("headers " + names.joined(separator: " ")) }
        return parts.joined(separator: ", ")
    }
}

extension Transfer {
    /// Who answered, and how long that took.
    var story: String {
        let address =
            unsafe jb_curl_text(handle, CURLINFO_PRIMARY_IP).map { unsafe String(cString: $0) } ?? "?"
        func milliseconds(_ information: CURLINFO) -> Int64 {
            unsafe Int64(jb_curl_number(handle, information)) / 1000
        }
        let connected = milliseconds(CURLINFO_CONNECT_TIME_T)
        let named = milliseconds(CURLINFO_NAMELOOKUP_TIME_T)
        let answered = milliseconds(CURLINFO_STARTTRANSFER_TIME_T)
        let how = connected > 0 ? "name \(named) ms, connected \(connected) ms, " : ""
        return "\(address) answered (\(how)first byte \(answered) ms): \(head.story)"
    }
}
