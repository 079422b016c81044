import CXXHash

/// The checksum of blocks and records on disk.
enum Checksum {
    static func of(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        // Safe because the library reads exactly that many bytes; an empty buffer is not read.
        unsafe jb_xxh3(bytes.baseAddress, bytes.count)
    }

    static func of(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        unsafe bytes.withUnsafeBytes { unsafe of($0) }
    }
}
