import Foundation

/// Looks again and again until something is so, where nothing tells of it; false when it was not so for a minute.
public func comesTrue(_ isSo: () -> Bool) -> Bool {
    let end = ProcessInfo.processInfo.systemUptime + 60
    while !isSo() {
        if ProcessInfo.processInfo.systemUptime >= end { return false }
        usleep(1000)
    }
    return true
}
