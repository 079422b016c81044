import Base
import Decode
import Player

/// Items that rest while another is heard, and such that go on with another version of themselves.
extension Engine {
    /// An item that changes each time that it is asked for is not followed for ever.
    private static let mostReplacements = 5

    func setAside() {
        dropAside()
        aside = current
        current = nil
    }

    func takeUp(_ token: Int, at seconds: Double) {
        guard let item = aside, item.token == token else { return }
        aside = nil
        closeSources()
        current = item
        item.goesOn()
        item.isInRing = false
        seekSerial = nil
        item.note(.open, "goes on where it rested", journal)
        decode(item, at: seconds)
        tellLater(.receiving, of: token)
    }

    func dropAside() {
        aside?.source.close()
        aside = nil
    }

    /// Opens the version that a server has by now where the one before was heard to; false when that is not to be.
    func goOnWithNewVersion(_ item: OpenItem) -> Bool {
        guard item.isReplaced, item.replacements < Self.mostReplacements, item.token == current?.token else {
            return false
        }
        // One that was shorter put the place back to its end, of which nothing was heard.
        let seconds = max(currentSeconds ?? 0, item.wentOnAt)
        let replacements = item.replacements + 1
        item.source.close()
        open(item.token, item.playable, at: seconds)
        current?.replacements = replacements
        current?.wentOnAt = seconds
        current?.note(.open, "opened anew, as another version, at \(Int(seconds)) s", journal)
        hear(.starved(item.token))
        return true
    }
}
