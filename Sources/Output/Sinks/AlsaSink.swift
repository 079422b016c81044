import Base
import CALSA
import CLinux

/// A sound card, or a sound server's device, through alsa-lib.
///
/// It is started by us, never by itself; when stopped it is paused first, where that works, so that what was
/// heard is known to the frame, then dropped, and prepared when it goes on. Source: alsa-lib, "PCM (digital audio) interface".
@safe final class AlsaSink: Sink {
    let isUntimed = false
    let allowsFades: Bool
    var fadesCuts: Bool { allowsFades }
    private(set) var canRewind = false
    /// True once the device was there: from then on it is waited for.
    private(set) var hasOpened = false
    private let device: String
    private let rewinding: AlsaSettings.Rewinding
    private var pcm: OpaquePointer?
    private var source: AudioFormat?
    private var format: SinkFormat?
    private var canPause = true
    private var isRunning = false
    /// Only just before the first frames: PulseAudio's plugin counts the time from there on as played, and drops as
    /// much of what comes then.
    private var isPrepared = false
    /// What can have been heard at most, where the device's own word is not to be trusted.
    private var pace: Pace?

    /// Names the device; opens nothing yet.
    init(device: String, rewinding: AlsaSettings.Rewinding = .automatic) {
        self.device = device
        self.rewinding = rewinding
        allowsFades = rewinding != .never
    }

    deinit { close() }

    // MARK: Opening

    func open(for source: AudioFormat) throws(SinkFailure) -> SinkFormat {
        if let format, self.source == source, unsafe pcm != nil { return format }
        if unsafe pcm != nil {
            // Not every plugin can be set up twice: opened anew where it refuses.
            if let format = try? configure(for: source) { return format }
            close()
        }
        try openDevice()
        do { return try configure(for: source) } catch {
            close()
            throw error
        }
    }

    func close() {
        if let pcm = unsafe pcm { _ = unsafe snd_pcm_close(pcm) }
        unsafe pcm = nil
        source = nil
        format = nil
        isRunning = false
    }

    var description: String {
        guard let format else { return "ALSA \(device)" }
        return "ALSA \(device): \(format.encoding.name), \(format.audio.sampleRate) Hz, "
            + "\(format.audio.channels) channels"
    }

    private func openDevice() throws(SinkFailure) {
        jb_alsa_silence()
        var opened: OpaquePointer?
        let code = unsafe snd_pcm_open(&opened, device, SND_PCM_STREAM_PLAYBACK, SND_PCM_NONBLOCK)
        if code == -EBUSY { throw .busy("\(device) is in use by another program") }
        try check(code, "open")
        unsafe pcm = opened
        canPause = true
    }

    private func configure(for source: AudioFormat) throws(SinkFailure) -> SinkFormat {
        let pcm = try unsafe handle()
        _ = unsafe snd_pcm_drop(pcm)
        _ = unsafe snd_pcm_hw_free(pcm)
        isRunning = false
        let format = try unsafe AlsaParameters(pcm: pcm, device: device).negotiate(for: source)
        self.source = source
        self.format = format
        hasOpened = true
        // A plugin's type hides what is behind it, so only the card itself is trusted.
        let isCard = unsafe snd_pcm_type(pcm) == SND_PCM_TYPE_HW
        canRewind = rewinding == .always || (rewinding == .automatic && isCard)
        pace = rewinding == .automatic && !isCard ? Pace(rate: format.audio.sampleRate) : nil
        isPrepared = false
        return format
    }

    /// ALSA's name for the card that is open; nil for what is none.
    var card: String? {
        var information: OpaquePointer?
        guard let pcm = unsafe pcm, unsafe snd_pcm_info_malloc(&information) == 0,
            let information = unsafe information
        else { return nil }
        defer { unsafe snd_pcm_info_free(information) }
        guard unsafe snd_pcm_info(pcm, information) == 0 else { return nil }
        let number = unsafe snd_pcm_info_get_card(information)
        return number < 0 ? nil : "hw:\(number)"
    }

    // MARK: Playing

    func status() throws(SinkFailure) -> (room: Int, unheard: Int) {
        let pcm = try unsafe handle()
        guard isPrepared else { return (format?.bufferFrames ?? 0, 0) }
        guard isRunning else {
            let room = unsafe snd_pcm_avail_update(pcm)
            try check(Int32(clamping: room), "avail")
            return (room, 0)
        }
        var room: snd_pcm_sframes_t = 0
        var delay: snd_pcm_sframes_t = 0
        try check(unsafe snd_pcm_avail_delay(pcm, &room, &delay), "delay")
        return (max(0, room), unheard(told: max(0, delay)))
    }

    func write(_ bytes: UnsafeRawBufferPointer, frames: Int) throws(SinkFailure) -> Int {
        let pcm = try unsafe handle()
        try prepare()
        let taken = unsafe snd_pcm_writei(pcm, bytes.baseAddress, snd_pcm_uframes_t(frames))
        if taken == -Int(EAGAIN) || taken == -Int(EINTR) { return 0 }
        try check(Int32(clamping: taken), "write")
        pace?.wrote(frames: taken)
        return taken
    }

    func prepare() throws(SinkFailure) {
        if isPrepared { return }
        try check(unsafe snd_pcm_prepare(handle()), "prepare")
        isPrepared = true
    }

    func start() throws(SinkFailure) {
        try check(unsafe snd_pcm_start(handle()), "start")
        isRunning = true
        pace?.start()
    }

    func halt() throws(SinkFailure) -> Int? {
        let pcm = try unsafe handle()
        let dropped = isRunning ? unsafe stopAndMeasure(pcm) : nil
        isRunning = false
        pace?.reset()
        isPrepared = false
        _ = unsafe snd_pcm_drop(pcm)
        return dropped
    }

    func delayClock(byFrames frames: Int) -> Bool { false }

    func rewind(frames: Int) -> Int {
        guard let pcm = unsafe pcm else { return 0 }
        let possible = min(frames, unsafe snd_pcm_rewindable(pcm))
        guard possible > 0 else { return 0 }
        return max(0, unsafe snd_pcm_rewind(pcm, snd_pcm_uframes_t(possible)))
    }

    /// Pause, then delay: exact. Where it cannot pause, up to some frames are played after they were counted.
    private func stopAndMeasure(_ pcm: OpaquePointer) -> Int? {
        if canPause, unsafe snd_pcm_pause(pcm, 1) < 0 { canPause = false }
        var delay: snd_pcm_sframes_t = 0
        guard unsafe snd_pcm_delay(pcm, &delay) == 0 else { return nil }
        return unheard(told: max(0, delay))
    }

    private func unheard(told: Int) -> Int { pace?.unheard(told: told) ?? told }

    // MARK: Waiting

    func fillPoll(_ entries: UnsafeMutableBufferPointer<pollfd>) -> Int {
        guard let pcm = unsafe pcm else { return 0 }
        return max(
            0, Int(unsafe snd_pcm_poll_descriptors(pcm, entries.baseAddress, UInt32(entries.count))))
    }

    func polled(_ entries: UnsafeMutableBufferPointer<pollfd>) {
        guard let pcm = unsafe pcm else { return }
        var events: UInt16 = 0
        // Plugins take their own wake-up here; what it says is asked again by `status`.
        _ = unsafe snd_pcm_poll_descriptors_revents(
            pcm, entries.baseAddress, UInt32(entries.count), &events)
    }

    // MARK: Errors

    private func handle() throws(SinkFailure) -> OpaquePointer {
        guard let pcm = unsafe pcm else { throw .gone("\(device) is not open") }
        return unsafe pcm
    }

    private func check(_ code: Int32, _ operation: String) throws(SinkFailure) {
        try AlsaSink.check(code, operation, device)
    }

    /// Throws what a negative code means.
    static func check(_ code: Int32, _ operation: String, _ device: String) throws(SinkFailure) {
        if code >= 0 { return }
        if code == -EPIPE { throw .underrun }
        if code == -ESTRPIPE { throw .suspended }
        let text = unsafe snd_strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
        throw .gone("\(device), \(operation): \(text)")
    }
}
