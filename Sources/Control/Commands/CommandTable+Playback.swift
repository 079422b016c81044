import Base
package import Player

extension CommandTable {
    /// Adds the remote-control events.
    package func addPlayback(_ player: Player) {
        addPlain("pause") { player.pause() }
        addPlain("stop") { player.stop() }
        addPlain("toggle") { () throws(CommandFailure) in try player.toggle() }
        addPlain("next") { () throws(CommandFailure) in try player.next() }
        addPlain("previous") { () throws(CommandFailure) in try player.previous() }
        add("play") { (call) throws(CommandFailure) in
            try player.play(try CommandTable.playTarget(call.parameters))
            return call.revisionResult()
        }
        add("seek") { (call) throws(CommandFailure) in
            try player.seek(try CommandTable.seekTarget(call.parameters))
            return call.revisionResult()
        }
        add("announce", positional: "url", takesItems: true) { (call) throws(CommandFailure) in
            let parameters = call.parameters
            let item = try parameters.entry(
                url: try parameters.string("url"), title: try parameters.optionalString("title"),
                headers: try CommandTable.headers(parameters["headers"], "headers"))
            try player.announce(
                item, volume: try parameters.optionalNumber("volume"),
                ducks: try parameters.boolean("duck", default: player.ducksByDefault))
            return call.revisionResult()
        }
        add("seek.begin", positional: "direction") { (call) throws(CommandFailure) in
            let word = try call.parameters.string("direction")
            guard let direction = ScanDirection(rawValue: word) else {
                throw Parameters.wrong("direction", .string(word), "\"forward\" or \"backward\"")
            }
            try player.beginScan(direction, for: call.client)
            CommandTable.endScan(of: player, with: call)
            return call.revisionResult()
        }
        addPlain("seek.end") { player.endScan() }
        add("remote", positional: "event") { (call) throws(CommandFailure) in
            try player.remote(try call.parameters.string("event"), for: call.client)
            CommandTable.endScan(of: player, with: call)
            return call.revisionResult()
        }
    }

    /// A client that goes without having let the key go ends its scan.
    private static func endScan(of player: Player, with call: CommandCall) {
        let client = call.client
        call.whenGone("scan") { [weak player] in player?.endScan(of: client) }
    }

    private func addPlain(_ name: String, _ body: @escaping () throws(CommandFailure) -> Void) {
        add(name) { (call) throws(CommandFailure) in
            try body()
            return call.revisionResult()
        }
    }

    private static func playTarget(_ parameters: Parameters) throws(CommandFailure) -> PlayTarget {
        let id = try parameters.optionalInteger("id")
        let index = try parameters.optionalInteger("index")
        if let id, let index {
            let text = "id is \(id) and index is \(index); only one of them may be given."
            throw CommandFailure(.invalidParams, text)
        }
        if let id { return .id(id) }
        return index.map { .index(Int(clamping: $0)) } ?? .current
    }

    private static func seekTarget(_ parameters: Parameters) throws(CommandFailure) -> SeekTarget {
        switch (parameters["to"], parameters["by"]) {
        case (.some, .some), (nil, nil):
            throw CommandFailure(.invalidParams, "Exactly one of to and by must be given.")
        case (.string("live")?, nil): return .live
        case (let to?, nil):
            guard let seconds = to.number else {
                throw Parameters.wrong("to", to, "a number of seconds or \"live\"")
            }
            return .to(seconds)
        case (nil, .some): return .by(try parameters.number("by"))
        }
    }
}
