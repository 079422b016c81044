import Base
import CContract

/// The protocol's OpenRPC document, `protocol/openrpc.json`, as the daemon was built with it.
final class Contract {
    /// The document in one line; made when it is asked for the first time.
    private(set) lazy var text = JSONText(raw: Contract.inOneLine(Contract.bytes()))

    private static func bytes() -> [UInt8] {
        var count = 0
        guard let bytes = unsafe jb_contract(&count) else { return [] }
        // Safe because the bytes are a constant of the program, and the count is its size.
        return unsafe Array(UnsafeBufferPointer(start: bytes, count: count))
    }

    /// Leaves out the white space between values.
    private static func inOneLine(_ bytes: [UInt8]) -> String {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var isInString = false
        var isEscaped = false
        for byte in bytes {
            if isInString {
                isInString = byte != UInt8(ascii: "\"") || isEscaped
                isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
            } else if byte == UInt8(ascii: "\"") {
                isInString = true
            } else if byte <= 0x20 {
                continue
            }
            result.append(byte)
        }
        return String(decoding: result, as: UTF8.self)
    }
}
