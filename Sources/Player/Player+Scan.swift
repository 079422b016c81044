package import Base

/// A scan under way: whose it is and what comes after it.
struct RunningScan {
    let direction: ScanDirection
    /// The client that began it.
    let owner: Int
    let token: Int
    /// True when it is paused again after it.
    let wasPaused: Bool
    let timer: TimerQueue.Token
}

extension Player {
    /// A scan that nobody ends does so by itself: the key was let go where nobody saw it.
    private static let longestScan = Duration.seconds(10)

    /// Scans audibly until `endScan`, for at most 10 s; ends a scan under way. Stopped: no change. Throws
    /// invalid_state without an item, unsupported when it cannot seek.
    package func beginScan(_ direction: ScanDirection, for owner: Int = 0) throws(CommandFailure) {
        interruptAnnouncements()
        try requireCurrent("There is no current item to scan.")
        guard machine.wish != .stopped else { return }
        if let item, item.stream != nil, !item.isSeekable {
            throw CommandFailure(.unsupported, "This item cannot be scanned: it cannot seek.")
        }
        let wasPaused = machine.wish == .paused
        let timer = timing.schedule(after: Self.longestScan) { [weak self] in self?.endScan() }
        if wasPaused { send(.play) }
        scan = RunningScan(
            direction: direction, owner: owner, token: lastToken, wasPaused: wasPaused, timer: timer)
        if item?.stream != nil { goOnScanning() }
        publish()
    }

    /// Scans the item that is open now, if it is the one that was meant.
    func goOnScanning() {
        guard let scan, let item, item.isSeekable, scan.token == item.token else { return }
        engine.scan(item.token, scan.direction)
    }

    /// Ends a scan: what was heard last goes on, or is paused again. Nothing when there is none, or when it is not
    /// that client's.
    package func endScan(of owner: Int? = nil) {
        guard let ended = scan, owner ?? ended.owner == ended.owner else { return }
        dropScan()
        guard ended.token == item?.token else { return }
        if ended.wasPaused { send(.pause) }
        if item?.isSeekable == true { jump(to: position) }
        publish()
    }

    /// Forgets a scan: another place or item is heard.
    func dropScan() {
        if let scan { timing.cancel(scan.timer) }
        scan = nil
    }
}
