import Base

extension Command {
    static let call = Command(
        name: "call", synopsis: "METHOD [JSON]", summary: "call any method of the protocol, print its result",
        details:
            "JSON is the parameters, an object or an array. Example: jukectl call queue.list '{\"limit\": 10}'",
        words: 1...2, completes: .method
    ) { (invocation) throws(ClientFailure) in
        var parameters = JSONValue.null
        if invocation.words.count == 2 {
            guard let value = JSONLine.value(invocation.words[1]) else {
                throw .usage("the parameters are not JSON: \(invocation.words[1])")
            }
            parameters = value
        }
        let daemon = try invocation.connect()
        invocation.output.json(try daemon.call(invocation.words[0], parameters))
    }

    static let remote = Command(
        name: "remote", synopsis: "EVENT", summary: "do what a key says, such as PlayPause or XF86AudioNext",
        words: 1...1,
        completes: .oneOf([
            "PlayPause", "Play", "Pause", "Stop", "Next", "Previous", "XF86AudioPlay", "XF86AudioPause",
            "XF86AudioStop",
            "XF86AudioNext", "XF86AudioPrev", "XF86AudioRaiseVolume", "XF86AudioLowerVolume", "XF86AudioMute",
        ])
    ) { (invocation) throws(ClientFailure) in
        let parameters = JSONValue.object(["event": .string(invocation.words[0])])
        invocation.output.acknowledge(try invocation.connect().call("remote", parameters))
    }

    static let ping = Command(
        name: "ping", summary: "say whether the daemon answers"
    ) { (invocation) throws(ClientFailure) in
        let result = try invocation.connect().call("ping")
        if invocation.wantsJSON { return invocation.output.json(result) }
        invocation.output.line("pong")
    }

    static let version = Command(
        name: "version", summary: "show the versions of this program and of the daemon"
    ) { (invocation) throws(ClientFailure) in
        let result = try invocation.connect().call("version")
        if invocation.wantsJSON { return invocation.output.json(result) }
        invocation.output.line("jukectl \(Version.current)")
        invocation.output.line("jukeboxd \(ValueText.write(result["version"] ?? .null))")
    }

    static let help = Command(
        name: "help", synopsis: "[COMMAND]", summary: "explain a command, or list all",
        words: 0...1, completes: .command
    ) { (invocation) throws(ClientFailure) in
        guard let name = invocation.words.first else { return Help.show(nil) }
        guard let command = CommandTable.all.first(where: { $0.name == name }) else {
            throw .usage("there is no command \"\(name)\"; the list: jukectl help")
        }
        Help.show(command)
    }
}
