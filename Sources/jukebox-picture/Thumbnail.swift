import CGD
import Glibc

/// A picture made smaller.
enum Thumbnail {
    /// Of JPEG, 0 to 100.
    private static let quality: Int32 = 85
    /// More pixels in one direction are not decoded.
    private static let longestEdge = 20_000

    /// The picture within a square of that many pixels: a JPEG, or a PNG where it can be seen through. A smaller
    /// one keeps its size. Nil when the bytes are no picture that is known, or too large a one.
    static func bytes(of picture: [UInt8], edge: Int) -> [UInt8]? {
        jb_gd_silence()
        guard let whole = unsafe image(of: picture) else { return nil }
        defer { unsafe gdImageDestroy(whole) }
        let (width, height) = unsafe (Int(jb_gd_width(whole)), Int(jb_gd_height(whole)))
        guard width > 0, height > 0, max(width, height) <= longestEdge else { return nil }
        let scale = min(1, Double(edge) / Double(max(width, height)))
        let size = (max(1, Int(Double(width) * scale)), max(1, Int(Double(height) * scale)))
        guard let small = unsafe gdImageCreateTrueColor(Int32(size.0), Int32(size.1)) else { return nil }
        defer { unsafe gdImageDestroy(small) }
        unsafe gdImageAlphaBlending(small, 0)
        unsafe gdImageSaveAlpha(small, 1)
        unsafe gdImageCopyResampled(
            small, whole, 0, 0, 0, 0, Int32(size.0), Int32(size.1), Int32(width), Int32(height))
        return unsafe encoded(small)
    }

    // Safe because GD reads as many bytes as it is told, and the result is its caller's.
    private static func image(of picture: [UInt8]) -> gdImagePtr? {
        var picture = picture
        let count = Int32(clamping: picture.count)
        return unsafe picture.withUnsafeMutableBytes { bytes in
            let start = bytes.baseAddress
            return switch unsafe kind(UnsafeRawBufferPointer(bytes)) {
            case .jpeg: unsafe gdImageCreateFromJpegPtrEx(count, start, 1)
            case .png: unsafe gdImageCreateFromPngPtr(count, start)
            case .gif: unsafe gdImageCreateFromGifPtr(count, start)
            case .webp: unsafe gdImageCreateFromWebpPtr(count, start)
            case .bmp: unsafe gdImageCreateFromBmpPtr(count, start)
            case nil: nil
            }
        }
    }

    private enum Kind { case jpeg, png, gif, webp, bmp }

    /// Told by the first bytes; names and types lie.
    private static func kind(_ bytes: UnsafeRawBufferPointer) -> Kind? {
        let head = unsafe Array(bytes.prefix(12))
        if head.starts(with: [0xFF, 0xD8, 0xFF]) { return .jpeg }
        if head.starts(with: [0x89, 0x50, 0x4E, 0x47]) { return .png }
        if head.starts(with: "GIF8".utf8) { return .gif }
        if head.starts(with: "RIFF".utf8), head.dropFirst(8).elementsEqual("WEBP".utf8) { return .webp }
        return head.starts(with: "BM".utf8) ? .bmp : nil
    }

    private static func encoded(_ image: gdImagePtr) -> [UInt8]? {
        var size: Int32 = 0
        let isClear = unsafe jb_gd_has_alpha(image) != 0
        let result = unsafe isClear ? gdImagePngPtr(image, &size) : gdImageJpegPtr(image, &size, quality)
        guard let result = unsafe result else { return nil }
        defer { unsafe gdFree(result) }
        // Safe because GD made as many bytes as it says.
        return size > 0 ? unsafe Array(UnsafeRawBufferPointer(start: result, count: Int(size))) : nil
    }
}
