package import Base
package import Player

extension CommandTable {
    /// Adds `explain`.
    package func addExplain(_ player: Player, _ journal: Journal) {
        add("explain") { (call) throws(CommandFailure) in
            let asked = try call.parameters.optionalString("url")
            guard let url = asked ?? player.subject else {
                throw CommandFailure(
                    .invalidState, "There is nothing to explain: no current item, and nothing failed.")
            }
            if let story = journal.story(of: url) { return .result(JSONText(story)) }
            // The current item may not have been opened yet.
            guard url == player.subject else {
                let shown = URLMask.shown(url).prefix(200)
                throw CommandFailure(.notFound, "Nothing is known of \(shown): it was not opened lately.")
            }
            return .result(JSONText(Journal.Story(url: url)))
        }
    }
}
