import Testing

@testable import Markup

@Suite struct XMLReaderTests {
    @Test func tellsElementsAttributesAndTextInOrder() throws {
        let log = MarkupLog()
        try XMLReader.read(Array("<a xmlns='urn:x' k='1&amp;2'>t&lt;<b/>u</a>".utf8), into: log)
        #expect(log.text == "<urn:x|a k=1&2>t<<urn:x|b></b>u</a>")
    }

    @Test(arguments: [
        ("<!DOCTYPE a [<!ENTITY x 'yyyy'>]><a>&x;</a>", "entities"),
        (String(repeating: "<a>", count: 65), "nests deeper"),
        ("<a>", "no element found"),
        ("", "no element found"),
        ("<a></b>", "mismatched tag"),
    ])
    func refusesWhatIsNoXMLOrCouldGrow(_ text: String, _ reason: String) {
        let error = #expect(throws: XMLError.self) {
            try XMLReader.read(Array(text.utf8), into: MarkupLog())
        }
        #expect(error?.description.contains(reason) == true)
    }
}

/// Writes down what a reader tells.
final class MarkupLog: MarkupHandler {
    var text = ""

    func elementStarted(_ name: MarkupName, _ attributes: [MarkupAttribute]) {
        text += "<" + (name.namespace.isEmpty ? "" : name.namespace + "|") + name.local
        for attribute in attributes { text += " \(attribute.name.local)=\(attribute.value)" }
        text += ">"
    }
    func text(_ text: String) { self.text += text }
    func elementEnded(_ name: MarkupName) { text += "</\(name.local)>" }
}
