import Base
import CNCurses
import Terminal

/// The terminal while it is ours: shows pages, tells keys. One at a time, one thread.
final class Screen {
    /// Takes the terminal over; nil where it cannot show a screen.
    init?() {
        let wantsColour: Int32 = System.environment("NO_COLOR") == nil ? 1 : 0
        guard jb_screen_open(wantsColour) == 0 else { return nil }
    }

    /// Gives the terminal back as it was.
    func close() { jb_screen_close() }

    /// True where more than ASCII can be shown.
    var hasUnicode: Bool { jb_screen_has_unicode() != 0 }

    /// The size of the screen.
    private(set) var layout = Screen.measured

    private static var measured: Layout {
        let size = TerminalSize(of: 1)
        return Layout(columns: size?.columns ?? 80, rows: size?.rows ?? 24)
    }

    /// The terminal has another size now.
    func resize() {
        layout = Screen.measured
        jb_screen_resize(Int32(clamping: layout.rows), Int32(clamping: layout.columns))
    }

    /// Shows a page in place of what was there.
    func show(_ page: Page) {
        jb_screen_clear()
        if let divider = page.divider {
            jb_screen_divide(Int32(divider.row), Int32(divider.column), Int32(divider.rows))
        }
        for (row, spans) in page.rows.enumerated() {
            for span in spans { put(row, span) }
        }
        jb_screen_cursor(Int32(page.cursor?.row ?? 0), Int32(page.cursor?.column ?? -1))
        jb_screen_show()
    }

    private func put(_ row: Int, _ span: Page.Span) {
        let characters = span.text.unicodeScalars.map { wchar_t(bitPattern: $0.value) }
        // Safe because the characters live for the length of the call, which takes so many of them.
        unsafe characters.withUnsafeBufferPointer { buffer in
            unsafe jb_screen_put(
                Int32(row), Int32(span.column), buffer.baseAddress, Int32(buffer.count), span.style.rawValue)
        }
    }

    /// The keys that were pressed since the last time.
    func keys() -> [Key] {
        var keys: [Key] = []
        var code: UInt32 = 0
        while true {
            let kind = unsafe jb_screen_key(&code)
            if kind == 0 { return keys }
            if let key = kind == 1 ? Screen.character(code) : Screen.special(Int32(bitPattern: code)) {
                keys.append(key)
            }
        }
    }

    private static func character(_ code: UInt32) -> Key? {
        switch code {
        case 0x0A, 0x0D: return .enter
        case 0x1B: return .escape
        case 0x08, 0x7F: return .backspace
        case 0x09: return .tab
        case 0x15: return .clearLine
        default:
            guard code >= 0x20, let scalar = Unicode.Scalar(code), !(0x7F..<0xA0).contains(code) else {
                return nil
            }
            return .character(Character(scalar))
        }
    }

    private static func special(_ code: Int32) -> Key? {
        switch code {
        case KEY_UP: .up
        case KEY_DOWN: .down
        case KEY_LEFT: .left
        case KEY_RIGHT: .right
        case KEY_PPAGE: .pageUp
        case KEY_NPAGE: .pageDown
        case KEY_HOME: .home
        case KEY_END: .end
        case KEY_ENTER: .enter
        case KEY_BACKSPACE: .backspace
        default: nil
        }
    }
}
