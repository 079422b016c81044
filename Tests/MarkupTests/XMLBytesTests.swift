import Testing

@testable import Markup

@Suite struct XMLBytesTests {
    /// Bytes of a document with `e` in that charset, and what becomes of it.
    @Test(
        arguments: [
            (Array("<?xml version='1.0' encoding='UTF-8'?>\n<a>é</a>".utf8), "\n<a>é</a>"),
            (
                [0xEF, 0xBB, 0xBF] + Array("\r\n  <?xml version=\"1.0\"\nencoding=\"UTF-8\" ?><a>é</a>".utf8),
                "<a>é</a>"
            ),
            (Array("\n\n <a/>".utf8), "<a/>"),
            (
                Array("<?xml version=\"1.0\" encoding=\"windows-1251\"?><a>".utf8) + [0xCF, 0xF0, 0xE8]
                    + Array("</a>".utf8),
                "<a>При</a>"
            ),
            (
                Array("<?xml version=\"1.0\" encoding=\"ISO-8859-2\"?><a>".utf8) + [0xB3]
                    + Array("</a>".utf8), "<a>ł</a>"
            ),
            (
                Array("<?xml version=\"1.0\" encoding=\"made-up\"?><a>".utf8) + [0xE9] + Array("</a>".utf8),
                "<a>é</a>"
            ),
            (Array("<a>".utf8) + [0xE9] + Array("</a>".utf8), "<a>é</a>"),
            // It says that it is Latin-1, but is not.
            (Array("<?xml version='1.0' encoding='ISO-8859-1'?><a>é</a>".utf8), "<a>é</a>"),
            (
                Array("<?xml version='1.0' encoding='utf-8'?><a>".utf8) + [0xFF] + Array("é</a>".utf8),
                "<a>\u{FFFD}é</a>"
            ),
            (
                [0xFF, 0xFE] + Array("<?xml version='1.0' encoding='utf-16'?><a/>".utf8).flatMap { [$0, 0] },
                "<a/>"
            ),
            ([], ""),
            (Array("<?xml".utf8), "<?xml"),
        ] as [([UInt8], String)])
    func becomeUTF8WithoutADeclaration(_ bytes: [UInt8], _ text: String) {
        #expect(String(decoding: XMLBytes.utf8(bytes), as: UTF8.self) == text)
    }

    @Test func entitiesOfHTMLAreKnownToXML() throws {
        let log = MarkupLog()
        try XMLReader.read(Array("<!DOCTYPE a><a>caf&eacute; &#8217; &mdash; &unknown;</a>".utf8), into: log)
        #expect(log.text == "<a>café ’ — &unknown;</a>")
    }

    @Test(
        arguments: [
            ("amp", "&"), ("AMP", "&"), ("nbsp", "\u{A0}"), ("yuml", "ÿ"), ("Eacute", "É"), ("rsquo", "’"),
            ("euro", "€"),
            ("#233", "é"), ("#xE9", "é"), ("#XE9", "é"), ("#146", "’"), ("#1114112", nil), ("#", nil),
            ("", nil),
            ("nothing", nil), ("#-5", nil),
        ] as [(String, String?)])
    func entityHasItsText(_ name: String, _ text: String?) { #expect(Entity.text(named: name) == text) }
}
