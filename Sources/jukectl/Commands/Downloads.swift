import Base
import Terminal

extension Command {
    static let download = Command(
        name: "download", synopsis: "[--no-wait] ID…", summary: "download items of the store",
        details: """
            They play without a network then. Waits until all are here, with a bar on a terminal; Ctrl-C ends the
            waiting, not the downloads.
            """,
        options: [
            CommandOption(name: "--no-wait", help: "return as soon as the daemon has accepted it"), .timeout,
        ],
        words: 1...10_000, completes: .storeItem
    ) { (invocation) throws(ClientFailure) in
        let ids = try StoreID.items(invocation.words)
        let deadline = try invocation.deadline()
        let daemon = try invocation.connect()
        try daemon.observe(["downloads"])
        let result = try daemon.call("store.download", idsParameter(ids))
        if !invocation.has("--no-wait") {
            try DownloadWatch(ids, daemon, invocation.output).run(until: deadline)
        }
        invocation.output.acknowledge(result)
    }

    static let downloads = Command(
        name: "downloads", synopsis: "[cancel ID…|delete ID…|export [--to FOLDER] ID…]",
        summary: "list downloads, cancel or delete them, or export them as files",
        details: """
            What was cancelled or deleted by hand is not downloaded again by a rule. export copies what was downloaded
            into a folder, else into the one where the shell is, under readable names and with tags.
            """,
        options: [CommandOption(name: "--to", value: "FOLDER", help: "where exported files go")],
        words: 0...10_000, completes: .download
    ) { (invocation) throws(ClientFailure) in
        let words = invocation.words
        switch (words.first ?? "list", words.count) {
        case ("list", 0...1): try listDownloads(invocation)
        case ("cancel", 2...): try change("store.cancelDownload", words.dropFirst(), invocation)
        case ("delete", 2...): try change("store.deleteDownload", words.dropFirst(), invocation)
        case ("export", 2...): try export(words.dropFirst(), invocation)
        default:
            throw .usage(
                "\"\(words.joined(separator: " "))\" is none of list, cancel ID…, delete ID…, export ID…")
        }
    }

    private static func listDownloads(_ invocation: Invocation) throws(ClientFailure) {
        let daemon = try invocation.connect()
        try daemon.observe(["downloads"])
        let output = invocation.output
        if output.wantsJSON { return output.json(.object(JSONMembers(daemon.values))) }
        let all = DownloadProgress.all(in: daemon.values)
        guard !all.isEmpty else {
            return output.line("Nothing is downloaded; do it with: jukectl download ID")
        }
        var rows: [(DownloadProgress, String?)] = []
        for progress in all { rows.append((progress, title(of: progress.id, daemon))) }
        StoreTables.downloads(rows).print(on: output)
    }

    private static func export(_ words: some Sequence<String>, _ invocation: Invocation) throws(ClientFailure)
    {
        let folder = Address.resolve(invocation.options["--to"] ?? Address.workingFolder)
        let ids = try StoreID.items(words).map { JSONValue.integer($0) }
        let parameters: JSONValue = .object(["ids": .array(ids), "folder": .string(folder)])
        let result = try invocation.connect().call("store.export", parameters)
        if invocation.wantsJSON { return invocation.output.json(result) }
        for file in result.elements(of: "files") {
            if let path = PlainText.line(file["path"]) { invocation.output.line(path) }
        }
    }

    private static func change(_ method: String, _ words: some Sequence<String>, _ invocation: Invocation)
        throws(ClientFailure)
    {
        let ids = try StoreID.items(words)
        invocation.output.acknowledge(try invocation.connect().call(method, idsParameter(ids)))
    }

    private static func idsParameter(_ ids: [Int64]) -> JSONValue {
        .object(["ids": .array(ids.map { .integer($0) })])
    }

    /// Nil for an item that is gone meanwhile.
    private static func title(of id: Int64, _ daemon: Daemon) -> String? {
        do throws(ClientFailure) {
            return StoreItem(try daemon.call("store.show", .object(["id": .integer(id)])))?.title
        } catch {
            return nil
        }
    }
}
