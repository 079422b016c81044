import Glibc

/// Cuts a stream of bytes into lines: ended by LF, a CR before it dropped, blank ones skipped.
///
/// Holds at most one line and what came after it in the same append; a line that is too long is told once
/// and skipped to its LF.
package struct LineFramer: Sendable {
    /// What comes out, in order.
    package enum Frame: Equatable, Sendable {
        case line([UInt8])
        case tooLong
    }

    /// The most bytes of a client's line, without its end.
    package static let requestLimit = 1 << 20

    /// The most bytes of a line, without its end.
    package let limit: Int
    private var buffer: [UInt8] = []
    private var start = 0
    /// How far no LF was found, so that a line that comes byte by byte is not searched again and again.
    private var searched = 0
    private var isSkipping = false

    /// Begins at the start of a line; `limit` is in bytes.
    package init(limit: Int = requestLimit) { self.limit = limit }

    /// Adds what was read.
    package mutating func append(_ bytes: UnsafeRawBufferPointer) {
        if start == buffer.count { forget() }
        unsafe buffer.append(contentsOf: bytes)
    }

    /// Adds bytes of an array.
    package mutating func append(_ bytes: [UInt8]) {
        unsafe bytes.withUnsafeBytes { unsafe append($0) }
    }

    /// The next line; nil when it is not all here yet.
    package mutating func next() -> Frame? {
        while let end = endOfLine() {
            let wasSkipping = isSkipping
            isSkipping = false
            var last = end
            if last > start, buffer[last - 1] == UInt8(ascii: "\r") { last -= 1 }
            let line = buffer[start..<last]
            start = end + 1
            searched = start
            if wasSkipping || LineFramer.isBlank(line) { continue }
            return line.count > limit ? .tooLong : .line(Array(line))
        }
        return skipIfTooLong()
    }

    private static func isBlank(_ line: ArraySlice<UInt8>) -> Bool {
        line.allSatisfy { $0 == 0x20 || $0 == 0x09 }
    }

    private mutating func endOfLine() -> Int? {
        let from = searched
        // Safe because memchr(3) looks at no more than the rest of the buffer.
        let found: Int? = unsafe buffer.withUnsafeBytes { bytes in
            guard from < bytes.count, let start = bytes.baseAddress else { return nil }
            let place = unsafe memchr(start + from, 0x0A, bytes.count - from)
            return unsafe place.map { unsafe UnsafeRawPointer($0) - start }
        }
        if found == nil { searched = buffer.count }
        return found
    }

    /// The limit and a CR that may still turn out to be the line's end.
    private mutating func skipIfTooLong() -> Frame? {
        if isSkipping {
            forget()
            return nil
        }
        guard buffer.count - start > limit + 1 else {
            compact()
            return nil
        }
        forget()
        isSkipping = true
        return .tooLong
    }

    private mutating func forget() {
        buffer.removeAll(keepingCapacity: buffer.capacity <= 1 << 16)
        start = 0
        searched = 0
    }

    private mutating func compact() {
        guard start > 0 else { return }
        if start == buffer.count { return forget() }
        buffer.removeSubrange(..<start)
        searched -= start
        start = 0
    }
}
