import Base

extension Command {
    static let queue = Command(
        name: "queue", summary: "show what is in the queue",
        details: "The first column marks the current entry; the ID is what play, remove and move take."
    ) { (invocation) throws(ClientFailure) in
        let daemon = try invocation.connect()
        let current = try daemon.value(of: "item.entry")
        let list = try QueueList.fetch(daemon)
        if invocation.wantsJSON { return invocation.output.json(list) }
        let entries = list.elements(of: "entries")
        guard !entries.isEmpty else {
            return invocation.output.line("The queue is empty; put something in with: jukectl add URL")
        }
        for line in QueueList.lines(entries, current: current, on: invocation.output) {
            invocation.output.line(line)
        }
    }

    static let add = Command(
        name: "add", synopsis: "[--next|--at N] [--play] URL…", summary: "put something into the queue",
        details: "URLs (http, https, file) or paths; at the end of the queue, unless told otherwise.",
        options: [
            CommandOption(name: "--next", help: "right after the current entry"),
            CommandOption(name: "--at", value: "N", help: "as the Nth entry; the first is 1"),
            CommandOption(name: "--play", help: "and play the first of them"),
        ],
        words: 1...10_000, completes: .path
    ) { (invocation) throws(ClientFailure) in
        if invocation.has("--next"), invocation.has("--at") {
            throw .usage("--next and --at exclude each other")
        }
        let items = JSONValue.array(invocation.words.map { .string(Address.resolve($0)) })
        var parameters = ["items": items]
        if let place = invocation.options["--at"] { parameters["at"] = try Entries.place(place) }
        let daemon = try invocation.connect()
        let result: JSONValue
        if invocation.has("--next") {
            result = try daemon.call("queue.insertNext", .object(JSONMembers(parameters)))
            if invocation.has("--play"), let first = result.elements(of: "ids").first {
                _ = try daemon.call("play", .object(["id": first]))
            }
        } else {
            if invocation.has("--play") { parameters["play"] = .bool(true) }
            result = try daemon.call("queue.add", .object(JSONMembers(parameters)))
        }
        invocation.output.acknowledge(result)
    }

    static let remove = Command(
        name: "remove", synopsis: "ID…", summary: "take entries out of the queue",
        words: 1...10_000, completes: .entry
    ) { (invocation) throws(ClientFailure) in
        let ids = try Entries.ids(invocation.words)
        invocation.output.acknowledge(try invocation.connect().call("queue.remove", .object(["ids": ids])))
    }

    static let move = Command(
        name: "move", synopsis: "ID… N", summary: "move entries, so that the first of them becomes the Nth",
        words: 2...10_000, completes: .entry
    ) { (invocation) throws(ClientFailure) in
        let ids = try Entries.ids(invocation.words.dropLast())
        let place = try Entries.place(invocation.words[invocation.words.count - 1])
        let parameters = JSONValue.object(["ids": ids, "to": place])
        invocation.output.acknowledge(try invocation.connect().call("queue.move", parameters))
    }
}
