/// Why a command ends without having done its work: the exit status and a sentence that names the remedy.
struct ClientFailure: Error, Equatable {
    let status: ExitStatus
    let message: String
    /// The stable name of the daemon's error; nil when it is none of the daemon's.
    var code: String?

    /// A command line that cannot be understood.
    static func usage(_ message: String) -> ClientFailure {
        ClientFailure(status: .wrongUsage, message: message)
    }

    /// A command that was understood and did not succeed.
    static func refused(_ message: String, code: String? = nil) -> ClientFailure {
        ClientFailure(status: .refused, message: message, code: code)
    }
}
