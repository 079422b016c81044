import CCurl

/// An easy handle of curl, freed with its owner; confined to the loader's thread.
@safe final class CurlHandle {
    // Safe because this owner frees it, once.
    let raw: UnsafeMutableRawPointer

    /// Makes one; nil when there is no memory for it.
    init?() {
        guard let raw = unsafe jb_curl_easy_init() else { return nil }
        unsafe self.raw = unsafe raw
    }

    deinit { unsafe jb_curl_easy_cleanup(raw) }
}
