import Base
import Markup

/// The text of HTML, as far as a summary needs it: paragraphs, no markup.
final class PlainText: MarkupHandler {
    /// A summary beyond this is cut, in bytes.
    static let longest = 16_384
    /// Elements that begin a new line.
    private static let blocks: Set<String> = [
        "p", "br", "div", "li", "tr", "ul", "ol", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "pre",
        "hr",
    ]
    /// Elements whose text is none for people.
    private static let hidden: Set<String> = ["script", "style", "head", "title"]

    private var lines: [String] = []
    private var line = ""
    private var hiddenDepth = 0
    private var size = 0

    private init() {}

    /// The text of HTML, or of what only looks like text; nil when nothing is left.
    static func of(_ html: String) -> String? {
        // More markup than that around a summary is not looked through.
        let html =
            html.utf8.count > longest * 8
            ? String(decoding: html.utf8.prefix(longest * 8), as: UTF8.self) : html
        guard html.utf8.contains(where: { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "&") }) else {
            return lined(html.split(whereSeparator: \.isNewline).map(String.init))
        }
        let text = PlainText()
        LooseMarkup.read(html, into: text)
        return lined(text.lines + [text.line])
    }

    /// A title, in which one encoding too many is undone; nil when nothing is left.
    static func title(_ text: String) -> String? {
        guard text.contains("&") else { return ShownText.line(text) }
        return ShownText.line(LooseMarkup.decoded(Array(text.utf8)[...]))
    }

    private static func lined(_ lines: [String]) -> String? {
        let lines = lines.compactMap { ShownText.line($0, longest: longest) }
        let text = lines.joined(separator: "\n")
        guard text.utf8.count > longest else { return text.isEmpty ? nil : text }
        return String(decoding: text.utf8.prefix(longest), as: UTF8.self) + "…"
    }

    func elementStarted(_ name: MarkupName, _ attributes: [MarkupAttribute]) {
        if Self.hidden.contains(name.local) { hiddenDepth += 1 }
        if Self.blocks.contains(name.local) { breakLine() }
    }

    func text(_ text: String) {
        guard hiddenDepth == 0, size < Self.longest * 2 else { return }
        size += text.utf8.count
        line += text
    }

    func elementEnded(_ name: MarkupName) {
        if Self.hidden.contains(name.local) { hiddenDepth = max(0, hiddenDepth - 1) }
        if Self.blocks.contains(name.local) { breakLine() }
    }

    private func breakLine() {
        lines.append(line)
        line = ""
    }
}
