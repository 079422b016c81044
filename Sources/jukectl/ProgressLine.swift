import Terminal

/// A line of a terminal that says how far something is; nothing where nobody is looking.
struct ProgressLine {
    private let output: Output

    init(_ output: Output) { self.output = output }

    /// True where it is seen.
    var isSeen: Bool { output.isTerminal && !output.wantsJSON }

    /// Shows another text in its place.
    func show(_ text: String) {
        guard isSeen else { return }
        output.write("\r\u{1B}[K" + TextWidth.clipped(text, to: (output.columns ?? 80) - 1))
    }

    /// Takes it away.
    func clear() {
        if isSeen { output.write("\r\u{1B}[K") }
    }
}
