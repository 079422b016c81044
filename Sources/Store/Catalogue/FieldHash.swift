import Base

/// A hash of fields that come in a fixed order; one that is not there differs from an empty one.
struct FieldHash {
    private var state = FNV1a.start

    var value: Int64 { Int64(bitPattern: state) }

    mutating func add(_ text: String?) {
        guard let text else { return add([0xFE]) }
        add(text.utf8)
        add([0xFF])
    }

    mutating func add(list: [String]) {
        for text in list { add(text) }
        add([0xFD])
    }

    mutating func add(_ number: Double?) {
        guard let number else { return add([0xFE]) }
        add(stride(from: 0, to: 64, by: 8).lazy.map { UInt8(truncatingIfNeeded: number.bitPattern >> $0) })
        add([0xFF])
    }

    private mutating func add(_ bytes: some Sequence<UInt8>) { state = FNV1a.hash(bytes, after: state) }
}
