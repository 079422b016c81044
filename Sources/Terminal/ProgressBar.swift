/// A bar that fills from the left.
package enum ProgressBar {
    /// So many columns, of which a share between 0 and 1 is filled.
    package static func text(_ fraction: Double, columns: Int) -> String {
        let share = fraction.isFinite ? max(0, min(1, fraction)) : 0
        let filled = Int(share * Double(max(0, columns)))
        return String(repeating: "━", count: filled) + String(repeating: "┈", count: max(0, columns - filled))
    }
}
