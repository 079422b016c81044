import Base
import Terminal

extension Command {
    static let seek = Command(
        name: "seek", synopsis: "TIME", summary: "go to a place in the item: 1:23, +30, -10 or live",
        details:
            "TIME is [[H:]M:]S from the start; with + or - from where it is; \"live\" is a station's newest sound.",
        words: 1...1
    ) { (invocation) throws(ClientFailure) in
        let parameters = try seekParameters(invocation.words[0])
        let result = try invocation.connect().call("seek", parameters)
        invocation.output.acknowledge(result)
    }

    /// The parameters of `seek` for a typed time. Throws wrong usage.
    static func seekParameters(_ word: String) throws(ClientFailure) -> JSONValue {
        if word == "live" { return .object(["to": .string("live")]) }
        let isRelative = word.hasPrefix("+") || word.hasPrefix("-")
        guard let seconds = ClockText.read(isRelative ? word.dropFirst() : word[...]) else {
            throw .usage("\"\(word)\" is no time; write 83, 1:23, +30, -10 or live")
        }
        if !isRelative { return .object(["to": .real(seconds)]) }
        return .object(["by": .real(word.hasPrefix("-") ? -seconds : seconds)])
    }
}
