import Base

extension CommandTable {
    /// Adds `ping`, `version`, `rpc.discover`, `restrict`, `reload`, `shutdown`.
    package func addServer(_ hooks: ControlHooks) {
        add("ping") { _ in .result(JSONText(raw: "{}")) }
        add("version") { call in .result(CommandTable.version(call.session.options.instance)) }
        let contract = Contract()
        add("rpc.discover") { _ in .result(contract.text) }
        add("restrict", positional: "allow") { (call) throws(CommandFailure) in
            let names = try call.parameters.strings("allow")
            var groups: Set<MethodGroup> = []
            for name in names {
                guard let group = MethodGroup(rawValue: name) else {
                    let all = MethodGroup.allCases.map(\.rawValue).joined(separator: ", ")
                    throw Parameters.wrong("allow", .string(name), "some of \(all)")
                }
                groups.insert(group)
            }
            let left = call.session.restrict(to: groups)
            return .result(
                .object { text in
                    text.member(
                        "allow", MethodGroup.allCases.filter { left.contains($0) }.map(\.rawValue))
                })
        }
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
