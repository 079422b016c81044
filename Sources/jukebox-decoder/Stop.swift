import DecoderLink

/// Why a command came to nothing.
enum Stop: Error {
    /// The daemon gave no bytes, and knows why.
    case abandoned
    case failed(DecoderReply.Failure)
}
