import Base
import Store

/// A source's document that is to be read. Any thread may cancel it.
struct DocumentRequest: Sendable {
    /// As it is kept.
    let source: CatalogueSource
    /// Opened; whoever reads it closes it.
    let bytes: any ByteSource
    /// When its server wants to be asked again, in unix time; nil where it did not say.
    let patience: Guarded<Double?>
}

/// What reading a document came to.
enum DocumentOutcome: Sendable {
    /// It is as it was.
    case unchanged
    /// What is in it, and the source as it is to be kept with that; `movedTo` is where servers say that it is from now on.
    case read(CatalogueSource, Publication, [ItemToKeep], movedTo: String?)
    /// `retryAt`: unix time.
    case failed(PlaybackFailure, retryAt: Double?)
}
