/// Metadata that belongs to a moment of the sound.
package struct TimedMetadata: Equatable, Sendable {
    package enum Source: String, Sendable { case icy, id3, vorbis }

    package struct Field: Equatable, Sendable {
        package let name: String
        package let value: String
        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    package let source: Source
    /// In the order of the stream; repaired to UTF-8.
    package let fields: [Field]
    /// The byte of the sound (metadata not counted) from which it holds.
    package let offset: Int64

    package init(source: Source, fields: [Field], offset: Int64) {
        self.source = source
        self.fields = fields
        self.offset = offset
    }

    /// The value of the first field of that name.
    package subscript(name: String) -> String? { fields.first { $0.name == name }?.value }
}
