/// What goes over the socket between the daemon and `jukebox-decoder`: a kind and four numbers, of one size always.
///
/// What is longer lies in the memory that both see. One side speaks at a time: who has spoken waits for the other.
package struct LinkMessage: Equatable, Sendable {
    /// Bytes of a message: five numbers in the order of the machine.
    package static let byteCount = 5 * 8

    let kind: Int64
    let numbers: [Int64]

    init(_ kind: Int64, _ numbers: Int64...) {
        self.kind = kind
        self.numbers = numbers + Array(repeating: 0, count: max(0, 4 - numbers.count))
    }

    /// Reads a message; nil for any other number of bytes.
    package init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count == Self.byteCount else { return nil }
        kind = unsafe bytes.loadUnaligned(as: Int64.self)
        numbers = (1...4).map { unsafe bytes.loadUnaligned(fromByteOffset: $0 * 8, as: Int64.self) }
    }

    /// The bytes to be sent.
    package var bytes: [UInt8] {
        ([kind] + numbers).flatMap { number in unsafe withUnsafeBytes(of: number) { unsafe Array($0) } }
    }

    /// A number as what it is used for; nil when it is not in the range.
    func number(_ index: Int, in range: ClosedRange<Int> = 0...Int.max) -> Int? {
        let value = Int(clamping: numbers[index])
        return range.contains(value) ? value : nil
    }
}
