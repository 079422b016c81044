import Base

/// The properties below `player`, `buffer` and `queue`.
final class PlayerProperties {
    let state: Property<String>
    let waitingReason: Property<WaitingReason?>
    let retry: Property<RetryReport?>
    let position: Property<PositionAnchor>
    let volume: Property<Double>
    let muted: Property<Bool>
    let rate: Property<Double>
    let repeats: Property<QueueModes.Repeat>
    let shuffle: Property<Bool>
    let consume: Property<Bool>
    let replayGain: Property<ReplayGainMode>
    let crossfade: Property<Double>
    let sleepAt: Property<Double?>
    let announcing: Property<Bool>
    let error: Property<ErrorReport?>

    let bufferSeconds: Property<Double>
    let bufferTarget: Property<Double>
    let bufferEmpty: Property<Bool>
    let bufferFull: Property<Bool>
    let likelyToKeepUp: Property<Bool>

    let queueLength: Property<Int>
    let queueIndex: Property<Int?>
    let queueRevision: Property<Int64>

    init(in table: PropertyTable, position anchor: PositionAnchor) {
        state = Property("player.state", PlaybackPhase.stopped.name, in: table)
        waitingReason = Property("player.waitingReason", nil, in: table)
        retry = Property("player.retry", nil, in: table)
        position = Property("player.position", anchor, in: table)
        volume = Property("player.volume", 100, in: table)
        muted = Property("player.muted", false, in: table)
        rate = Property("player.rate", 1, in: table)
        repeats = Property("player.repeat", .off, in: table)
        shuffle = Property("player.shuffle", false, in: table)
        consume = Property("player.consume", false, in: table)
        replayGain = Property("player.replayGain", .off, in: table)
        crossfade = Property("player.crossfade", 0, in: table)
        sleepAt = Property("player.sleepAt", nil, in: table)
        announcing = Property("player.announcing", false, in: table)
        error = Property("player.error", nil, in: table)
        bufferSeconds = Property("buffer.seconds", 0, in: table)
        bufferTarget = Property("buffer.target", BufferPolicy.firstTarget, in: table)
        bufferEmpty = Property("buffer.empty", true, in: table)
        bufferFull = Property("buffer.full", false, in: table)
        likelyToKeepUp = Property("buffer.likelyToKeepUp", false, in: table)
        queueLength = Property("queue.length", 0, in: table)
        queueIndex = Property("queue.index", nil, in: table)
        queueRevision = Property("queue.revision", 0, in: table)
    }
}
