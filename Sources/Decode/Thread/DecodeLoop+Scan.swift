import Base

/// Scanning: what is heard while a key is held.
extension DecodeLoop {
    /// A hop that comes no further than this, in seconds, has come to the end of what there is.
    private static let leastHop = 0.5

    /// Begins to scan from where the item is heard.
    func scan(_ token: Int, _ direction: ScanDirection) {
        leaveFade(for: token)
        guard let stage = current, stage.item.token == token, stage.decoder != nil, stage.isSeekable else {
            tell(.seekRefused(token: token))
            return
        }
        let heard = max(0, stage.seconds - stage.format.seconds(ofFrames: rings.framesAhead))
        seek(stage, heard)
        scan = Scan(direction, from: stage.seconds, stage.format)
    }

    /// After a chunk: goes on to the next piece when one is over.
    func passScan(_ stage: Stage) throws(PlaybackFailure) {
        guard let before = scan, before.framesLeft == 0 else { return }
        if let end = stage.information?.duration, stage.information?.isEstimated == false, before.next >= end
        {
            return self.end(stage)
        }
        try stage.seek(toSeconds: max(0, before.next))
        if stage.reader.isInterrupted { return }
        goOn(stage)
        scan?.begin(at: stage.seconds)
        // At the start of an item, and at a station's live end, it plays on.
        if before.next <= 0 || before.direction == .forward && stage.seconds < before.start + Self.leastHop {
            scan = nil
        }
    }
}
