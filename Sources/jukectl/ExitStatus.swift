/// What `jukectl` ends with; scripts rely on the numbers.
enum ExitStatus: Int32 {
    case done = 0
    /// The daemon said no, or what was asked for failed.
    case refused = 1
    case wrongUsage = 2
    case noDaemon = 3
    case timedOut = 4
}
