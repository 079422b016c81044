import Base
import Terminal

extension Command {
    static let outputs = Command(
        name: "outputs", synopsis: "[on NAME|off NAME|devices]",
        summary: "list where sound goes, switch it, or list the sound devices there are",
        details: "The names of devices are what alsa: in the configuration and --output take.",
        words: 0...2, completes: .output
    ) { (invocation) throws(ClientFailure) in
        let words = invocation.words
        switch (words.first ?? "list", words.count) {
        case ("list", 0...1): try listOutputs(invocation)
        case ("devices", 1): try listDevices(invocation)
        case ("on", 2), ("off", 2):
            let result = try invocation.connect().set("outputs.\(words[1]).enabled", .bool(words[0] == "on"))
            if invocation.wantsJSON { invocation.output.json(result) }
        default:
            throw .usage("\"\(words.joined(separator: " "))\" is none of list, on NAME, off NAME, devices")
        }
    }

    private static func listOutputs(_ invocation: Invocation) throws(ClientFailure) {
        let values = try invocation.connect().call("get", .object(["keys": .array([.string("outputs")])]))[
            "values"]
        if invocation.wantsJSON { return invocation.output.json(values ?? .null) }
        OutputTables.outputs(values).print(on: invocation.output)
    }

    private static func listDevices(_ invocation: Invocation) throws(ClientFailure) {
        let result = try invocation.connect().call("outputs.devices")
        if invocation.wantsJSON { return invocation.output.json(result) }
        let devices = result.elements(of: "devices")
        guard !devices.isEmpty else { return invocation.output.line("ALSA knows no device.") }
        OutputTables.devices(devices).print(on: invocation.output)
    }
}
