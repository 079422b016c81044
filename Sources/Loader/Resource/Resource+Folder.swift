import Base

/// Folders on WebDAV servers: what a GET gives nothing of is asked for what is in it (RFC 4918, section 9.1).
extension Resource {
    enum Folder {
        case unasked, asked
        /// The server lists nothing there: what it said to the GET counts.
        case refused
    }

    /// Goes on with the other of GET and PROPFIND where a head calls for it; false where it does not.
    func turnsToFolder(_ head: ResponseHead, _ request: LoadingRequest) -> Bool {
        if request.isFolder {
            // What is known to be a folder is nothing else.
            if shared.description.isFolder { return false }
            // A redirect is followed, and 401 is for whoever authorizes.
            guard head.status != 207, head.status != 401, !(300...308).contains(head.status) else {
                return false
            }
            verdict = { [self] in turn(to: .refused) }
            return true
        }
        guard folder == .unasked, !hasAnswer, mayBeFolder(head) else { return false }
        verdict = { [self] in turn(to: .asked) }
        return true
    }

    private func turn(to folder: Folder) {
        self.folder = folder
        givesRanges = false
        begin(at: 0)
    }

    /// True where a folder is likely: its server calls it one, or its name ends like one's and there is nothing to
    /// hear. A page of the web is one only where credentials say that there is more than a page.
    private func mayBeFolder(_ head: ResponseHead) -> Bool {
        if head.contentType == "httpd/unix-directory" { return true }
        guard current.request.prefix(while: { $0 != "?" }).hasSuffix("/") else { return false }
        switch head.status {
        case 400, 403, 404, 405, 406, 501: return true
        case 200, 206:
            return head.contentType == "text/html" && !shared.description.credentials.identityFields.isEmpty
        default: return false
        }
    }
}
