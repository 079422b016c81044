import Base
import Terminal

/// Waits for downloads, and says how far they are.
struct DownloadWatch {
    private let ids: [Int64]
    private let daemon: Daemon
    private let output: Output

    /// The daemon must observe `downloads` since before they were asked for.
    init(_ ids: [Int64], _ daemon: Daemon, _ output: Output) {
        (self.ids, self.daemon, self.output) = (ids, daemon, output)
    }

    /// Returns once all are here. Throws, once nothing is under way any more, what became of the first that is not, and
    /// with status 4 after the deadline.
    func run(until deadline: MonotonicTime?) throws(ClientFailure) {
        let line = ProgressLine(output)
        defer { line.clear() }
        var open = ids
        var failure: ClientFailure?
        while true {
            let over = open.filter(isOver)
            open.removeAll(where: isOver)
            for id in over {
                do throws(ClientFailure) {
                    try check(id)
                } catch {
                    failure = failure ?? error
                }
            }
            if open.isEmpty { break }
            line.show(DownloadWatch.text(ids, open: open, daemon.values))
            if try daemon.waitForChange(until: deadline) == .deadline {
                throw ClientFailure(status: .timedOut, message: "it is not here yet; the daemon goes on")
            }
        }
        if let failure { throw failure }
    }

    /// How far all are together: `2 of 3  ━━┈┈ 45%  12.0 MiB`.
    static func text(_ ids: [Int64], open: [Int64], _ values: [String: JSONValue]) -> String {
        let all = ids.map { open.contains($0) ? DownloadProgress($0, in: values) : nil }
        let done = Double(ids.count - open.count)
        let fractions = all.compactMap { $0?.fraction }
        var text = ids.count > 1 ? "\(ids.count - open.count) of \(ids.count)  " : ""
        if fractions.count == open.count {
            let whole = (done + fractions.reduce(0, +)) / Double(ids.count)
            text += "\(ProgressBar.text(whole, columns: 30)) \(Int(whole * 100))%  "
        }
        let received = all.compactMap { $0?.received }.reduce(0, +)
        return text + ByteText.write(received)
    }

    /// One that has no state any more was cancelled, or was here before.
    private func isOver(_ id: Int64) -> Bool { DownloadProgress(id, in: daemon.values)?.isSettled ?? true }

    private func check(_ id: Int64) throws(ClientFailure) {
        let progress = DownloadProgress(id, in: daemon.values)
        if progress?.state == .finished { return }
        if progress?.state == .failed {
            throw .refused("\(id): \(progress?.failure ?? "it cannot be downloaded")")
        }
        let item = StoreItem(try daemon.call("store.show", .object(["id": .integer(id)])))
        if item?.isAvailable != true { throw .refused("\(id): it is not downloaded any more") }
    }
}
