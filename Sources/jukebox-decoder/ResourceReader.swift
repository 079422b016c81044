import CFFmpeg
import DecoderLink

/// FFmpeg's way to a resource: each read and seek asks the daemon.
@safe final class ResourceReader {
    /// Bytes that are asked for at a time.
    private static let bufferBytes: Int32 = 32 << 10

    private let link: DaemonLink
    private let isSeekable: Bool
    /// What is read of the resource; open to its end where that is not known.
    private let start: Int64
    private let length: Int64?
    /// Where the next byte is read.
    private(set) var position: Int64 = 0
    // Safe because FFmpeg made it, and `deinit` gives it back.
    private(set) var context: UnsafeMutablePointer<AVIOContext>?

    /// Reads all of it, or a part.
    init(_ link: DaemonLink, _ opening: LinkOpening, _ window: Range<Int>? = nil) throws(Stop) {
        self.link = link
        isSeekable = opening.isSeekable
        start = Int64(window?.lowerBound ?? 0)
        length = (window?.count ?? opening.length).map { Int64($0) }
        let buffer = unsafe av_malloc(Int(Self.bufferBytes))
        // Safe because this object owns the context, and so outlives it.
        let owner = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe context = avio_alloc_context(
            buffer?.assumingMemoryBound(to: UInt8.self), Self.bufferBytes, 0, owner,
            { owner, buffer, count in unsafe ResourceReader.owner(owner).read(buffer, Int(count)) }, nil,
            { owner, offset, whence in unsafe ResourceReader.owner(owner).seek(offset, whence) })
        guard unsafe context != nil else { throw .failed(.outOfMemory) }
        unsafe context?.pointee.seekable = opening.isSeekable ? AVIO_SEEKABLE_NORMAL : 0
    }

    deinit {
        unsafe av_freep(&context!.pointee.buffer)
        unsafe avio_context_free(&context)
    }

    /// The header of the page of Ogg that begins there; nil where there is none.
    func oggPage(at place: Int64) throws(Stop) -> OggPageHeader? {
        let bytes = try link.bytes(at: start &+ place, count: OggPageHeader.byteCount)
        return OggPageHeader(bytes)
    }

    /// Forgets what ended the last command.
    func recover() {
        unsafe context?.pointee.error = 0
        unsafe context?.pointee.eof_reached = 0
    }

    private static func owner(_ opaque: UnsafeMutableRawPointer?) -> ResourceReader {
        guard let opaque = unsafe opaque else { preconditionFailure("the context has an owner") }
        return unsafe Unmanaged<ResourceReader>.fromOpaque(opaque).takeUnretainedValue()
    }

    // Safe because FFmpeg's buffer has room for as many bytes as it asks for.
    private func read(_ buffer: UnsafeMutablePointer<UInt8>?, _ count: Int) -> Int32 {
        if link.isAbandoned { return jb_av_exit() }
        var wanted = min(count, SharedMemory.inputBytes)
        if let length { wanted = min(wanted, Int(length - position)) }
        // Beyond the end nothing is asked for.
        guard wanted > 0 else { return jb_av_eof() }
        do throws(DecoderRequest.Absence) {
            let got = min(try link.read(at: start &+ position, count: wanted), wanted)
            unsafe buffer?.update(
                from: link.memory.input.baseAddress!.assumingMemoryBound(to: UInt8.self), count: got)
            position += Int64(got)
            return got > 0 ? Int32(got) : jb_av_eof()
        } catch {
            switch error {
            case .end: return jb_av_eof()
            case .failed: return jb_av_input()
            case .abandoned: return jb_av_exit()
            }
        }
    }

    private func seek(_ offset: Int64, _ whence: Int32) -> Int64 {
        var target: Int64
        switch whence & ~AVSEEK_FORCE {
        case AVSEEK_SIZE: return length ?? -1
        case SEEK_SET: target = offset
        case SEEK_CUR: target = position &+ offset
        case SEEK_END:
            guard let length else { return -1 }
            target = length &+ offset
        default: return -1
        }
        guard isSeekable, target >= 0 else { return -1 }
        if let length { target = min(target, length) }
        position = target
        return target
    }
}
