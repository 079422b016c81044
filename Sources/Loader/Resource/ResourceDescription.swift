import Base

/// What a remote resource is opened by: whatever decides which bytes it is made of, and who may hear of them.
struct ResourceDescription: Sendable {
    /// The URL as it was given.
    let given: String
    /// The URL that it is known by.
    let url: RemoteURL
    /// Other URLs of it.
    let mirrors: [RemoteURL]
    let credentials: ItemCredentials
    let charset: Charset
    /// False when it must not be led to addresses of this machine or its link.
    let mayBeLocal: Bool
    /// True for what is known to be a folder.
    let isFolder: Bool
    /// For a document, which is read at once and by its own store: the edition that is here, which may be none.
    var document: DocumentEdition?

    /// True when both are the same bytes, asked for by the same set of credentials and under the same rules.
    func isSame(as other: ResourceDescription) -> Bool {
        url.request == other.url.request && mirrors == other.mirrors && charset == other.charset
            && mayBeLocal == other.mayBeLocal && isFolder == other.isFolder && document == other.document
            && credentials.identityFields.sorted() == other.credentials.identityFields.sorted()
    }
}
