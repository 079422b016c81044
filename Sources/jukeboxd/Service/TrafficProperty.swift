import Base

/// `network.received`: all bytes that came over the network, told at most once a second. Control thread.
final class TrafficProperty {
    private static let interval = Duration.seconds(1)

    private let property: Property<Int64>
    private let loop: EventLoop
    private let count: () -> Int64
    private var isScheduled = false
    private var lastTold = MonotonicTime(nanoseconds: 0)

    /// `count` reads the counter.
    init(table: PropertyTable, loop: EventLoop, count: @escaping () -> Int64) {
        property = Property("network.received", 0, in: table)
        self.loop = loop
        self.count = count
    }

    /// Bytes may have come: tells now, or once a second has passed since the last telling.
    func update() {
        if isScheduled { return }
        let due = lastTold + TrafficProperty.interval
        if MonotonicTime.now >= due { return tell() }
        isScheduled = true
        loop.schedule(at: due) { [self] in
            isScheduled = false
            tell()
        }
    }

    private func tell() {
        lastTold = .now
        property.value = count()
    }
}
