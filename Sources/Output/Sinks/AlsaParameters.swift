import Base
import CALSA

/// The agreement with an ALSA device on what it takes: as near to the source as it can.
@safe struct AlsaParameters {
    private static let periodMicroseconds: UInt32 = 50_000
    private static let bufferMicroseconds: UInt32 = 200_000
    /// Best first.
    private static let encodings: [(SampleEncoding, snd_pcm_format_t)] = [
        (.s32, SND_PCM_FORMAT_S32_LE), (.s24Packed, SND_PCM_FORMAT_S24_3LE), (.s24, SND_PCM_FORMAT_S24_LE),
        (.float, SND_PCM_FORMAT_FLOAT_LE), (.s16, SND_PCM_FORMAT_S16_LE),
    ]

    private let pcm: OpaquePointer
    private let device: String

    /// For an open device, which must outlive this value.
    init(pcm: OpaquePointer, device: String) {
        unsafe self.pcm = unsafe pcm
        self.device = device
    }

    /// Sets the device up. Throws what it refuses.
    func negotiate(for source: AudioFormat) throws(SinkFailure) -> SinkFormat {
        var parameters: OpaquePointer?
        try check(unsafe snd_pcm_hw_params_malloc(&parameters), "memory")
        guard let parameters = unsafe parameters else { throw .gone("\(device): no memory") }
        defer { unsafe snd_pcm_hw_params_free(parameters) }
        try check(unsafe snd_pcm_hw_params_any(pcm, parameters), "parameters")
        // alsa-lib's own conversion is linear; ours is better, and knows what was heard.
        _ = unsafe snd_pcm_hw_params_set_rate_resample(pcm, parameters, 0)
        try check(
            unsafe snd_pcm_hw_params_set_access(pcm, parameters, SND_PCM_ACCESS_RW_INTERLEAVED), "access")
        let encoding = try unsafe setEncoding(parameters)
        var channels = UInt32(source.channels)
        try check(unsafe snd_pcm_hw_params_set_channels_near(pcm, parameters, &channels), "channels")
        var rate = UInt32(source.sampleRate)
        try check(unsafe snd_pcm_hw_params_set_rate_near(pcm, parameters, &rate, nil), "rate")
        let (buffer, period) = try unsafe setSizes(parameters)
        try setSoftware(buffer: buffer, period: period)
        return SinkFormat(
            audio: AudioFormat(sampleRate: Int(rate), channels: Int(channels)), encoding: encoding,
            bufferFrames: Int(buffer), periodFrames: Int(period))
    }

    private func setEncoding(_ parameters: OpaquePointer) throws(SinkFailure) -> SampleEncoding {
        for (encoding, format) in AlsaParameters.encodings
        where unsafe snd_pcm_hw_params_set_format(pcm, parameters, format) == 0 {
            return encoding
        }
        throw .gone("\(device) takes none of S32, S24_3, S24, FLOAT, S16")
    }

    private func setSizes(_ parameters: OpaquePointer) throws(SinkFailure) -> (
        snd_pcm_uframes_t, snd_pcm_uframes_t
    ) {
        var periodTime = AlsaParameters.periodMicroseconds
        _ = unsafe snd_pcm_hw_params_set_period_time_near(pcm, parameters, &periodTime, nil)
        var bufferTime = AlsaParameters.bufferMicroseconds
        _ = unsafe snd_pcm_hw_params_set_buffer_time_near(pcm, parameters, &bufferTime, nil)
        var buffer: snd_pcm_uframes_t = 0
        var period: snd_pcm_uframes_t = 0
        try check(unsafe snd_pcm_hw_params(pcm, parameters), "set-up")
        try check(unsafe snd_pcm_hw_params_get_buffer_size(parameters, &buffer), "buffer size")
        try check(unsafe snd_pcm_hw_params_get_period_size(parameters, &period, nil), "period size")
        return (buffer, max(1, min(period, buffer / 2)))
    }

    private func setSoftware(buffer: snd_pcm_uframes_t, period: snd_pcm_uframes_t) throws(SinkFailure) {
        var parameters: OpaquePointer?
        try check(unsafe snd_pcm_sw_params_malloc(&parameters), "memory")
        guard let parameters = unsafe parameters else { throw .gone("\(device): no memory") }
        defer { unsafe snd_pcm_sw_params_free(parameters) }
        try check(unsafe snd_pcm_sw_params_current(pcm, parameters), "software parameters")
        let boundary = unsafe jb_alsa_boundary(parameters, buffer)
        try check(
            unsafe snd_pcm_sw_params_set_start_threshold(pcm, parameters, boundary), "start threshold")
        try check(unsafe snd_pcm_sw_params_set_avail_min(pcm, parameters, period), "wake-up")
        // Where these are refused, the device does without.
        _ = unsafe snd_pcm_sw_params_set_tstamp_mode(pcm, parameters, SND_PCM_TSTAMP_ENABLE)
        _ = unsafe snd_pcm_sw_params_set_tstamp_type(pcm, parameters, SND_PCM_TSTAMP_TYPE_MONOTONIC)
        // What was played becomes silence, so that a card that runs past the end repeats nothing.
        _ = unsafe snd_pcm_sw_params_set_silence_threshold(pcm, parameters, 0)
        _ = unsafe snd_pcm_sw_params_set_silence_size(pcm, parameters, boundary)
        try check(unsafe snd_pcm_sw_params(pcm, parameters), "software set-up")
    }

    private func check(_ code: Int32, _ operation: String) throws(SinkFailure) {
        try AlsaSink.check(code, operation, device)
    }
}
