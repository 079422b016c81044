import CLinux

/// The size of the terminal that a descriptor is.
package struct TerminalSize: Equatable, Sendable {
    package let columns: Int
    package let rows: Int

    /// Asks the terminal; nil when it is none, or does not know.
    package init?(of descriptor: Int32) {
        var size = winsize()
        guard unsafe jb_terminal_size(descriptor, &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return nil
        }
        (columns, rows) = (Int(size.ws_col), Int(size.ws_row))
    }
}
