/// Hears what a reader of markup comes upon, in the order of the document.
package protocol MarkupHandler: AnyObject {
    /// An element begins.
    func elementStarted(_ name: MarkupName, _ attributes: [MarkupAttribute])

    /// A piece of text, entities decoded; a run of text may come in several.
    func text(_ text: String)

    /// An element ends.
    func elementEnded(_ name: MarkupName)
}

/// The name of an element or attribute.
package struct MarkupName: Equatable, Sendable {
    /// The URI of its namespace; empty where there is none.
    package let namespace: String
    /// The name without a prefix.
    package let local: String

    package init(namespace: String = "", local: String) {
        self.namespace = namespace
        self.local = local
    }
}

/// One attribute of an element, its value decoded.
package struct MarkupAttribute: Equatable, Sendable {
    package let name: MarkupName
    package let value: String

    package init(name: MarkupName, value: String) {
        self.name = name
        self.value = value
    }
}
