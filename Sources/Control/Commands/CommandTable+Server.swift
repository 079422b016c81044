import Base

extension CommandTable {
    /// Adds `ping`, `version`, `rpc.discover`, `reload`, `shutdown`.
    package func addServer(_ hooks: ControlHooks) {
        add("ping") { _ in .result(JSONText(raw: "{}")) }
        add("version") { call in .result(CommandTable.version(call.session.options.instance)) }
        let contract = Contract()
        add("rpc.discover") { _ in .result(contract.text) }
        add("reload") { (call) throws(CommandFailure) in
            try hooks.reload()
            return call.revisionResult()
        }
        add("shutdown") { call in
            // Later, so that the reply is on its way first.
            call.session.loop.schedule(after: .zero) { hooks.shutdown() }
            return .result(JSONText(raw: "{}"))
        }
    }

    private static func version(_ instance: String) -> JSONText {
        return .object { text in
            text.member("name", "jukeboxd")
            text.member("version", Version.current)
            text.member("protocol", 1)
            text.member("instance", instance)
        }
    }
}
