import Glibc

extension Thread {
    /// As nice(1) is without a number.
    private static let backgroundNiceness: Int32 = 10

    /// Lets all other threads go before the calling one where there is not time for all: for work that nobody waits for.
    package static func beginBackground() {
        // 0: on Linux the calling thread alone (setpriority(2), "C library/kernel differences").
        setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, backgroundNiceness)
    }
}
