import Base
import Control
import Store

/// `store.setRules`: what is downloaded of a source by itself.
extension StoreService {
    func addRules(to commands: CommandTable) {
        add("store.setRules", positional: "source", to: commands) {
            [unowned self] (call) throws(CommandFailure) in try setRules(call)
        }
    }

    private func setRules(_ call: CommandCall) throws(CommandFailure) -> CommandOutcome {
        let source = try source(try call.parameters.integer("source"))
        let rules = try DownloadRules.rules(call.parameters["rules"])
        if rules != nil, source.isLocal {
            throw CommandFailure(
                .unsupported, "Source \(source.id) is on this machine: there is nothing to download.")
        }
        let (id, text) = (source.id, rules.map { JSONText($0).string })
        let slot = call.makeReplySlot()
        catalogue.change({ (file) throws(StoreError) in try file.sources.setRules(id, text) }) {
            [mailbox] outcome in
            mailbox.post { service in
                if case .success = outcome { service.take(rules, of: id) }
                slot.fill(
                    outcome.map { .object { $0.member("rules", rules) } }.mapError(Self.failure))
            }
        }
        return .later(slot)
    }

    private func take(_ rules: DownloadRules?, of id: Int64) {
        guard let source = sources[id] else { return }
        source.rules = rules
        keeper.rulesChanged(of: id)
    }
}
