package import Base
import CLinux
import Glibc

/// The memory that the daemon and `jukebox-decoder` both see: bytes of the resource in the one part, samples or text
/// in the other. Its size is sealed, so that neither can take it from under the other.
@safe package final class SharedMemory {
    /// Of the part with the bytes of a resource.
    package static let inputBytes = 64 << 10
    /// Of the part with samples.
    package static let outputBytes = 1 << 20
    /// Of what is written there as text.
    package static let textBytes = outputBytes
    /// Of one channel.
    package static let mostFrames = outputBytes / MemoryLayout<Float>.size

    private static let byteCount = inputBytes + outputBytes

    // Safe because it is mapped as long as this object lives, and never grows or shrinks.
    private let memory: UnsafeMutableRawPointer

    /// Maps the memory behind a descriptor. Throws what mmap(2) says.
    package init(_ descriptor: Int32) throws(SystemError) {
        let memory = unsafe mmap(
            nil, Self.byteCount, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
        guard let memory = unsafe memory, unsafe memory != MAP_FAILED else {
            throw SystemError(code: errno, operation: "mmap")
        }
        unsafe self.memory = memory
    }

    deinit { unsafe munmap(memory, Self.byteCount) }

    /// Makes memory of that size, which can be passed on. Throws what memfd_create(2) says.
    package static func make() throws(SystemError) -> FileDescriptor {
        let fd = try System.check("memfd_create") { unsafe jb_sealed_memory("jukebox-decoder", byteCount) }
        return FileDescriptor(owning: fd)
    }

    /// The bytes of a resource; valid as long as this object.
    package var input: UnsafeMutableRawBufferPointer {
        unsafe UnsafeMutableRawBufferPointer(start: memory, count: Self.inputBytes)
    }

    /// Samples, interleaved; valid as long as this object.
    package var samples: UnsafeMutableBufferPointer<Float> {
        let start = unsafe (memory + Self.inputBytes).assumingMemoryBound(to: Float.self)
        return unsafe UnsafeMutableBufferPointer(start: start, count: Self.mostFrames)
    }

    /// A copy of text that the other side has written, at most what there is room for.
    package func text(_ count: Int) -> [UInt8] {
        let count = max(0, min(count, Self.textBytes))
        return unsafe Array(UnsafeRawBufferPointer(start: memory + Self.inputBytes, count: count))
    }

    /// Writes text for the other side; returns how much of it there was room for.
    package func write(text: some Collection<UInt8>) -> Int {
        let room = unsafe UnsafeMutableRawBufferPointer(
            start: memory + Self.inputBytes, count: Self.textBytes)
        let part = text.prefix(Self.textBytes)
        unsafe room.copyBytes(from: part)
        return part.count
    }
}
