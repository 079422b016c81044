/// Writes numbers and texts one after another, as `LinkTextReader` reads them.
package struct LinkTextWriter {
    package private(set) var bytes: [UInt8] = []

    package init() {}

    package mutating func add(_ number: Int) {
        unsafe withUnsafeBytes(of: Int64(number)) { unsafe bytes.append(contentsOf: $0) }
    }

    package mutating func add(_ text: some Collection<UInt8>) {
        add(text.count)
        bytes += text
    }
}

/// Reads numbers and texts; what is missing or out of bounds is nil, whoever wrote it.
package struct LinkTextReader {
    private var rest: ArraySlice<UInt8>

    package init(_ bytes: [UInt8]) { rest = bytes[...] }

    package mutating func number() -> Int? {
        guard rest.count >= 8 else { return nil }
        let number = unsafe rest.withUnsafeBytes { unsafe $0.loadUnaligned(as: Int64.self) }
        rest = rest.dropFirst(8)
        return Int(clamping: number)
    }

    package mutating func text() -> [UInt8]? {
        guard let count = number(), count >= 0, count <= rest.count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
    }
}
