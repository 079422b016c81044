import Base

extension Command {
    static let volume = Command(
        name: "volume", synopsis: "[N|+N|-N]", summary: "show or set the volume, 0 to 100",
        words: 0...1
    ) { (invocation) throws(ClientFailure) in
        let change = try invocation.words.first.map { (word) throws(ClientFailure) in try volumeChange(word) }
        let daemon = try invocation.connect()
        let value: JSONValue
        switch change {
        case nil: value = try daemon.value(of: "player.volume")
        case .by(let step):
            let parameters = JSONValue.object(["key": .string("player.volume"), "by": .integer(step)])
            value = try daemon.call("adjust", parameters)["value"] ?? .null
        case .to(let volume):
            try daemon.set("player.volume", .integer(volume))
            value = .integer(volume)
        }
        if invocation.wantsJSON {
            invocation.output.json(value)
        } else {
            invocation.output.line("volume \(ValueText.write(value))")
        }
    }

    /// What a typed volume asks for.
    enum VolumeChange: Equatable {
        case to(Int64)
        case by(Int64)
    }

    /// Reads `40`, `+5` or `-5`. Throws wrong usage.
    static func volumeChange(_ word: String) throws(ClientFailure) -> VolumeChange {
        let digits = word.hasSuffix("%") ? word.dropLast() : word[...]
        guard let number = Int64(digits), (-100...100).contains(number) else {
            throw .usage("\"\(word)\" is no volume; write 0 to 100, +5 or -5")
        }
        return word.hasPrefix("+") || word.hasPrefix("-") ? .by(number) : .to(number)
    }
}
