import Base

/// Counts changes of the catalogue, at most four times a second. Control thread.
final class StoreRevision {
    private static let interval = Duration.milliseconds(250)

    private let loop: EventLoop
    private let body: () -> Void
    private var isArmed = false
    private var isDue = false

    init(loop: EventLoop, _ body: @escaping () -> Void) {
        self.loop = loop
        self.body = body
    }

    /// Counts now, or when the interval is over.
    func note() {
        guard !isArmed else {
            isDue = true
            return
        }
        isArmed = true
        body()
        loop.schedule(after: Self.interval) { [weak self] in
            guard let self else { return }
            isArmed = false
            guard isDue else { return }
            isDue = false
            note()
        }
    }
}
