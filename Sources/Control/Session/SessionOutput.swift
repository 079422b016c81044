import Base
import Wire

/// What waits to be written to one client, in order.
///
/// A class, so that looking at it is no access to the whole of its session.
/// Bytes go straight into `ready` while the client reads; else they wait as items, where changes are merged
/// until their turn comes and replies keep the place of their request.
final class SessionOutput {
    /// A reply whose bytes may come later.
    final class Slot {
        let serial: Int
        /// The whole line; nil until it is known.
        var line: [UInt8]?
        init(serial: Int) { self.serial = serial }
    }

    /// Whole lines that wait together.
    final class Lines {
        var bytes: [UInt8]
        init(_ bytes: [UInt8]) { self.bytes = bytes }
    }

    enum Item {
        case lines(Lines)
        case slot(Slot)
        case change(Subscription)
    }

    /// How many bytes are made ready at a time.
    static let portion = 64 * 1024

    private(set) var ready = JSONText()
    /// How many of the ready bytes were written.
    private(set) var written = 0
    private var items: [Item] = []
    private var firstItem = 0
    private var waitingBytes = 0
    /// The serial of the last slot whose line was made ready.
    private(set) var lastSlotWritten = 0
    /// True after the socket took no more.
    var isBlocked = false

    /// True when bytes may go ahead of nothing: the client reads and nothing waits.
    var isDirect: Bool { !isBlocked && firstItem == items.count }
    var unwrittenReady: Int { ready.bytes.count - written }
    /// Bytes that the client has not read, without changes that can still be merged.
    var unreadBytes: Int { unwrittenReady + waitingBytes }
    var isEmpty: Bool { unwrittenReady == 0 && firstItem == items.count }

    func appendDirectly(_ line: [UInt8]) { ready.append(rawBytes: line) }

    func appendReply(_ line: [UInt8]) {
        if isDirect { return ready.append(rawBytes: line) }
        waitingBytes += line.count
        if case .lines(let last)? = items.last, firstItem < items.count,
            last.bytes.count < SessionOutput.portion
        {
            last.bytes += line
        } else {
            items.append(.lines(Lines(line)))
        }
    }

    /// Adds a reply with a result, straight into what is written when nothing is ahead of it.
    func appendReply(_ id: RequestID, result: JSONText) {
        guard isDirect else {
            return appendReply(MessageWriter.line(MessageWriter.reply(id, result: result)))
        }
        MessageWriter.appendLine(id, result: result, to: &ready)
    }

    func enqueue(_ item: Item) { items.append(item) }

    /// A slot's line came: it counts as unread now.
    func fill(_ slot: Slot, _ line: [UInt8]) {
        slot.line = line
        waitingBytes += line.count
    }

    func noteWritten(_ count: Int) {
        written += count
        guard written == ready.bytes.count else { return }
        ready.removeAll(keepingAtMost: 2 * SessionOutput.portion)
        written = 0
    }

    /// Makes the next portion ready; false when there is nothing that could be written now.
    func refill() -> Bool {
        if firstItem == items.count { return unwrittenReady > 0 }
        while unwrittenReady < SessionOutput.portion, firstItem < items.count {
            switch items[firstItem] {
            case .lines(let lines):
                waitingBytes -= lines.bytes.count
                ready.append(rawBytes: lines.bytes)
            case .slot(let slot):
                guard let line = slot.line else {
                    if passChange() { continue }
                    return unwrittenReady > 0
                }
                waitingBytes -= line.count
                lastSlotWritten = slot.serial
                ready.append(rawBytes: line)
            case .change(let subscription):
                if let line = subscription.takeLine() { ready.append(rawBytes: line) }
            }
            firstItem += 1
        }
        trim()
        return unwrittenReady > 0
    }

    /// Lets one change go ahead of a reply that is still being worked on: state must not wait for a disk.
    private func passChange() -> Bool {
        for index in firstItem..<items.count {
            if case .change(let subscription) = items[index], subscription.slotBefore <= lastSlotWritten {
                items.remove(at: index)
                if let line = subscription.takeLine() { ready.append(rawBytes: line) }
                return true
            }
        }
        return false
    }

    private func trim() {
        if firstItem == items.count {
            items.removeAll(keepingCapacity: items.capacity < 256)
            firstItem = 0
        } else if firstItem > 64, firstItem > items.count / 2 {
            items.removeFirst(firstItem)
            firstItem = 0
        }
    }
}
