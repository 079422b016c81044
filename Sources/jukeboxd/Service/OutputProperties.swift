import Base
import Output

/// The observed properties of the outputs: `outputs.NAME.*`. Control thread.
final class OutputProperties {
    private struct Row {
        let isOpen: Property<Bool>
        let error: Property<String?>
        let underruns: Property<Int>
    }

    private let rows: [Row]

    /// Puts each output's properties into the table; `enable` is called when a client switches one.
    init(_ specs: [OutputSpec], table: PropertyTable, enable: @escaping (String, Bool) -> Void) {
        rows = specs.map { spec in
            let prefix = "outputs.\(spec.name)"
            table.set("\(prefix).kind", spec.kind.word)
            let enabled = Property("\(prefix).enabled", true, in: table)
            table.settable[enabled.key] = SettableProperty(kind: .boolean) { value throws(CommandFailure) in
                guard case .bool(let isOn) = value else {
                    throw CommandFailure(
                        .invalidParams, "\(enabled.key) takes true or false, not \(value.kindName).")
                }
                return {
                    guard enabled.value != isOn else { return }
                    enabled.value = isOn
                    enable(spec.name, isOn)
                }
            }
            return Row(
                isOpen: Property("\(prefix).open", false, in: table),
                error: Property("\(prefix).error", nil, in: table),
                underruns: Property("\(prefix).underruns", 0, in: table))
        }
    }

    /// Takes what an output tells.
    func take(_ event: OutputEvent) {
        guard rows.indices.contains(event.slot) else { return }
        let row = rows[event.slot]
        switch event.kind {
        case .opened, .back:
            row.isOpen.value = true
            row.error.value = nil
        case .closed: row.isOpen.value = false
        case .failed(let text), .lost(let text):
            row.isOpen.value = false
            row.error.value = text
        case .fallback(let text):
            row.error.value = text
            Log.warning("output", text)
        case .remark(let text):
            row.error.value = text
            if let text { Log.warning("output", text) }
        case .underrun(let count): row.underruns.value = count
        case .clock, .starved, .resumed, .mark, .ended, .wantsRing, .leftBehind, .volume: break
        }
    }
}
