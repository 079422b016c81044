import Base

/// Replies that wait until the change that they answer is saved, as long as the disk takes anything. Control thread.
final class WaitingReplies {
    /// A disk that takes nothing is waited for that long.
    private static let patience = Duration.seconds(2)

    private let loop: EventLoop
    /// The number of the last change that is saved.
    private var saved: Int64 = 0
    private var waiting: [(number: Int64, body: () -> Void)] = []
    private var patienceTimer: TimerQueue.Token?
    /// True from when the disk was given up until it takes something: meanwhile nobody waits for it.
    private var isHanging = false

    init(loop: EventLoop) { self.loop = loop }

    /// Runs `body` when the change of that number is saved, or at once where that cannot be waited for.
    func wait(for number: Int64, _ body: @escaping () -> Void) {
        guard number > saved, !isHanging else { return body() }
        waiting.append((number, body))
        if patienceTimer == nil { armPatience() }
    }

    /// All changes up to that number are saved.
    func noteSaved(upTo number: Int64) {
        saved = max(saved, number)
        isHanging = false
        release(upTo: saved)
    }

    /// Lets all go: what they answer will not be saved soon.
    func releaseAll() { release(upTo: .max) }

    private func armPatience() {
        patienceTimer = loop.schedule(after: Self.patience) { [weak self, saved] in
            guard let self else { return }
            patienceTimer = nil
            if self.saved > saved { return armPatience() }
            Log.warning("store", "the disk takes nothing; what is changed is answered before it is saved")
            isHanging = true
            releaseAll()
        }
    }

    private func release(upTo number: Int64) {
        guard !waiting.isEmpty else { return }
        let ready = waiting.filter { $0.number <= number }
        waiting.removeAll { $0.number <= number }
        if waiting.isEmpty, let timer = patienceTimer {
            loop.cancel(timer)
            patienceTimer = nil
        }
        for (_, body) in ready { body() }
    }
}
