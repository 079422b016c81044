import CALSA

/// A device that ALSA has a name for.
package struct AlsaDevice: Equatable, Sendable {
    /// What stands behind `alsa:`.
    package let name: String
    /// For people; empty where ALSA says nothing.
    package let description: String
}

/// The devices that ALSA's configuration and the cards suggest.
package enum AlsaDevices {
    /// As many as anybody would look through.
    private static let limit = 256
    private static let textLimit = 512

    /// Lists those that play, in ALSA's order; empty without any. May block, so no thread that plays or serves; loads
    /// ALSA's configuration, some 1.3 MB.
    package static func list() -> [AlsaDevice] {
        jb_alsa_silence()
        var hints: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
        guard unsafe snd_device_name_hint(-1, "pcm", &hints) == 0, let hints = unsafe hints else { return [] }
        defer { _ = unsafe snd_device_name_free_hint(hints) }
        var devices: [AlsaDevice] = []
        var index = 0
        while devices.count < limit, let hint = unsafe hints[index] {
            index += 1
            // Nothing stands for both directions.
            guard unsafe text(hint, "IOID") != "Input", let name = unsafe text(hint, "NAME") else { continue }
            let words = unsafe text(hint, "DESC") ?? ""
            let description = words.split(separator: "\n").joined(separator: ", ")
            devices.append(AlsaDevice(name: name, description: description))
        }
        return devices
    }

    private static func text(_ hint: UnsafeMutableRawPointer, _ field: String) -> String? {
        guard let value = unsafe snd_device_name_get_hint(hint, field) else { return nil }
        defer { unsafe free(value) }
        return unsafe String(String(cString: value).prefix(textLimit))
    }
}
