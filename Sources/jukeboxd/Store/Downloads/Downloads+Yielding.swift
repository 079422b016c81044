import Base
import Loader
import Store

/// What is heard goes first, and a disk that takes nothing is left alone.
extension Downloads {
    /// How long what is heard must have had enough before downloads go on.
    private static let calm = Duration.seconds(5)

    /// Notes whether what is heard waits for the network, and whether the cache's disk takes anything.
    func note(isStarving: Bool, cacheError: String?) {
        if isStarving { hold() }
        let wasFull = isFull
        isFull = cacheError != nil
        guard isFull != wasFull else { return }
        if let cacheError { giveBack(because: cacheError) } else { startWaiting() }
    }

    private func hold() {
        guard !isHeld else { return }
        isHeld = true
        for download in running { download.stop() }
        service.loop.schedule(after: Self.calm) { [weak self] in
            guard let self else { return }
            isHeld = false
            for download in running {
                download.change { $0.state = .queued }
            }
            startWaiting()
        }
    }

    /// Ends what its rule's hours do not allow any more; it goes on when they begin again.
    func pauseClosed() {
        for download in running where !service.keeper.isOpen(download) {
            download.stop()
            download.change { $0.state = .queued }
            keep(download)
        }
    }

    private func giveBack(because error: String) {
        for download in running {
            download.stop()
            download.change {
                $0.state = .queued
                $0.failure = .init(code: "disk", message: error)
            }
            keep(download)
        }
        lookForRoom()
    }

    /// Others may make room on the disk: it is looked at until it takes something again.
    private func lookForRoom() {
        service.loop.schedule(after: .seconds(60)) { [weak self] in
            guard let self, isFull else { return }
            loader.cache?.lookForRoom()
            lookForRoom()
        }
    }
}
