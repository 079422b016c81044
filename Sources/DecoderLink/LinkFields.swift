/// Tags on their way: names and values as they came, whatever their encoding.
package struct LinkFields: Equatable, Sendable {
    /// More are left out.
    private static let mostFields = 256
    /// Longer names and values are cut.
    private static let mostBytes = 16 << 10
    /// Of all together.
    private static let mostBytesInAll = 256 << 10

    package struct Field: Equatable, Sendable {
        package let name: [UInt8]
        package let value: [UInt8]
    }

    package private(set) var fields: [Field] = []
    private var byteCount = 0

    package init() {}

    /// Adds a field while there is room.
    package mutating func add(_ name: some Collection<UInt8>, _ value: some Collection<UInt8>) {
        let field = Field(name: Array(name.prefix(256)), value: Array(value.prefix(Self.mostBytes)))
        guard fields.count < Self.mostFields, !field.name.isEmpty, !field.value.isEmpty,
            byteCount + field.value.count <= Self.mostBytesInAll
        else { return }
        byteCount += field.value.count
        fields.append(field)
    }

    package func write(to writer: inout LinkTextWriter) {
        writer.add(fields.count)
        for field in fields {
            writer.add(field.name)
            writer.add(field.value)
        }
    }

    /// Reads as many fields as are whole.
    package init(_ reader: inout LinkTextReader) {
        for _ in 0..<max(0, min(reader.number() ?? 0, Self.mostFields)) {
            guard let name = reader.text(), let value = reader.text() else { return }
            add(name, value)
        }
    }
}
