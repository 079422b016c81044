import Base
import Store

/// A number of bytes that the configuration says and clients may set; what they set is kept over restarts, until the
/// configuration says another one. Control thread.
final class KeptNumber {
    private static let most: Int64 = 1 << 50

    private let key: String
    /// Its name among what is kept.
    private let setting: String
    private let configured: Int64
    private let property: Property<Int64>
    private let apply: (Int64) -> Void
    private weak var keeper: StateKeeper?

    /// Makes the property; `unit` says what it counts, `apply` is called whenever it changes.
    init(
        _ key: String, keptAs setting: String, configured: Int64, unit: String, table: PropertyTable,
        apply: @escaping (Int64) -> Void
    ) {
        self.key = key
        self.setting = setting
        self.configured = configured
        self.apply = apply
        property = Property(key, configured, in: table)
        table.settable[key] = SettableProperty(kind: .number(0...Double(Self.most))) {
            [unowned self] (value) throws(CommandFailure) in
            guard let number = value.number, number >= 0, number <= Double(Self.most) else {
                throw CommandFailure(
                    .invalidParams, "\(key) takes a number of \(unit) from 0 to \(Self.most).")
            }
            return { [self] in set(Int64(number)) }
        }
    }

    /// Takes up what was set last, unless the configuration was given another one since then.
    func resume(_ settings: [String: SQLValue], keeper: StateKeeper) {
        keeper.others.append { [unowned self] in change }
        self.keeper = keeper
        guard settings[setting + "_configured"] == .integer(configured),
            case .integer(let number)? = settings[setting]
        else { return }
        take(number)
    }

    private func set(_ number: Int64) {
        guard property.value != number else { return }
        take(number)
        keeper?.write(change)
    }

    private func take(_ number: Int64) {
        property.value = number
        apply(number)
    }

    private var change: StateStore.Change {
        let (setting, number, configured) = (setting, property.value, configured)
        return { (file) throws(StoreError) in
            try file.settings.set(setting, .integer(number))
            try file.settings.set(setting + "_configured", .integer(configured))
        }
    }
}
