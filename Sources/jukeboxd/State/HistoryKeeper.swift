import Base
import Control
import Player
import Store

/// Notes what is heard, radio's titles included; `history.list` and `history.mark`. Control thread.
final class HistoryKeeper {
    /// A title that comes within this many seconds names what was heard before it came.
    private static let graceSeconds = 60.0

    /// What begins further on than this, in seconds, goes on from an earlier time.
    private static let beginningSeconds = 5.0

    /// A station that is heard again after a restart and so many seconds is news.
    private static let longestLiveSeconds = 3600.0

    private let keeper: StateKeeper
    private unowned let player: Player
    private let loop: EventLoop
    /// The row that was written last, in this run or an earlier one.
    private var lastID: Int64
    private var row: HeardRow?
    private var last: HeardItem?

    /// Adds the commands. `lastID`: the last row of earlier runs.
    init(
        keeper: StateKeeper, player: Player, loop: EventLoop, table: PropertyTable, commands: CommandTable
    ) {
        self.keeper = keeper
        self.player = player
        self.loop = loop
        lastID = 0
        commands.add("history.list") { [unowned self] (call) throws(CommandFailure) in try list(call) }
        commands.add("history.mark") { [unowned self] (call) throws(CommandFailure) in try mark(call) }
        table.atEndOfWritingTurn { [unowned self] in note() }
    }

    /// Goes on behind the last row of earlier runs, which may still be heard.
    func resume(after last: HeardRow?) {
        guard let last, last.id > lastID else { return }
        lastID = last.id
        let isOver = last.isLive && loop.unixTime - last.at > Self.longestLiveSeconds
        if row == nil, !isOver { row = last }
    }

    // MARK: Noting

    private func note() {
        guard let heard = player.heard, heard != last else { return }
        defer { last = heard }
        let isSameItem = heard.token == last?.token
        // What was interrupted, by an announcement or a stop, and goes on is heard once.
        let goesOn = heard.isLive || player.position > Self.beginningSeconds
        if !isSameItem, goesOn, row?.url == heard.url, Self.isSameSong(heard, row) { return }
        // A station that clears its title, or says it again, plays the same.
        if isSameItem, heard.title == nil || Self.isSameSong(heard, row) { return }
        var new = HeardRow(id: lastID + 1, at: loop.unixTime, url: heard.url, isLive: heard.isLive)
        let isLateTitle =
            isSameItem && row.map { $0.title == nil && loop.unixTime - $0.at < Self.graceSeconds } ?? false
        if isLateTitle || isSameItem && !heard.isLive, let row { new = row }
        new.title = heard.title
        new.artist = heard.artist
        new.album = heard.album
        new.channel = heard.channel
        guard new != row else { return }
        let written = new
        (row, lastID) = (written, max(lastID, written.id))
        keeper.write { (file) throws(StoreError) in try file.history.put(written) }
    }

    private static func isSameSong(_ heard: HeardItem, _ row: HeardRow?) -> Bool {
        row.map { $0.title == heard.title && $0.artist == heard.artist && $0.channel == heard.channel }
            ?? false
    }

    // MARK: Commands

    private func list(_ call: CommandCall) throws(CommandFailure) -> CommandOutcome {
        let offset = try call.parameters.optionalInteger("offset") ?? 0
        let limit = try call.parameters.optionalInteger("limit") ?? 100
        let onlyMarked = try call.parameters.boolean("marked", default: false)
        guard offset >= 0 else { throw CommandFailure(.invalidParams, "offset is \(offset), below 0.") }
        guard limit >= 0 else { throw CommandFailure(.invalidParams, "limit is \(limit), below 0.") }
        let slot = call.makeReplySlot()
        keeper.store.read { file in
            slot.fill(
                Self.attempt(file) { (file) throws(StoreError) in
                    let (total, rows) = try file.history.page(
                        offset: offset, limit: min(limit, 5_000), onlyMarked: onlyMarked)
                    return Self.text(total, rows)
                })
        }
        return .later(slot)
    }

    private func mark(_ call: CommandCall) throws(CommandFailure) -> CommandOutcome {
        let id = try call.parameters.optionalInteger("id") ?? lastID
        let isMarked = try call.parameters.boolean("marked", default: true)
        guard id > 0 else {
            throw CommandFailure(.invalidState, "Nothing was heard yet that could be marked.")
        }
        if row?.id == id { row?.isMarked = isMarked }
        let slot = call.makeReplySlot()
        keeper.store.read { file in
            slot.fill(
                Self.attempt(file) { (file) throws(StoreError) in
                    try file.history.mark(id, isMarked) ? JSONText(raw: "{\"id\":\(id)}") : nil
                })
        }
        return .later(slot)
    }

    /// Runs on the store's thread; nil from the body is a row that is not there.
    private static func attempt(
        _ file: StateFile?, _ body: (StateFile) throws(StoreError) -> JSONText?
    ) -> Result<JSONText, CommandFailure> {
        guard let file else {
            return .failure(CommandFailure(.invalidState, "The history cannot be read: the disk fails."))
        }
        do throws(StoreError) {
            if let text = try body(file) { return .success(text) }
            return .failure(CommandFailure(.notFound, "There is no such entry in the history."))
        } catch {
            return .failure(CommandFailure(.invalidState, "The history cannot be read: \(error)."))
        }
    }

    private static func text(_ total: Int64, _ rows: [HeardRow]) -> JSONText {
        return .object { text in
            text.member("total", total)
            text.member("items", rows.map { HistoryItem(row: $0) })
        }
    }
}

/// A row of the history as it is told.
private struct HistoryItem: JSONRepresentable {
    let row: HeardRow

    func write(to text: inout JSONText) {
        text.object { text in
            text.member("id", row.id)
            text.member("at", row.at)
            text.member("title", row.title)
            text.member("artist", row.artist)
            text.member("album", row.album)
            text.member("channel", row.channel)
            text.member("url", row.url)
            text.member("live", row.isLive)
            text.member("marked", row.isMarked)
        }
    }
}
