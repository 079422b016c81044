import Base
import CALSA
import CLinux
import Glibc

/// A card's own volume control, set by us and followed as other programs set it. Belongs to one output thread.
///
/// 100 per cent is the loudest that it can be; below that decibels count, so that a volume is as loud as in software,
/// and steps where it does not know them. Source: alsa-lib, "Mixer interface", "Simple mixer interface".
@safe final class AlsaMixer {
    private let handle: OpaquePointer
    private let element: OpaquePointer
    private let steps: ClosedRange<Int>
    /// The loudest in hundredths of a dB; nil where the card does not know.
    private let loudest: Int?
    private let hasSwitch: Bool
    /// As it was when we set it or looked last.
    private var known: (step: Int, isOn: Bool)

    /// Opens a card's mixer. Throws when there is none, or no such control in it.
    init(card: String, element name: String?) throws(SinkFailure) {
        jb_alsa_silence()
        unsafe handle = try unsafe Self.open(card)
        guard let element = unsafe Self.find(name, in: handle) else {
            _ = unsafe snd_mixer_close(handle)
            throw .gone("\(card) has no volume control" + (name.map { " named '\($0)'" } ?? ""))
        }
        unsafe self.element = unsafe element
        var (least, most) = (0, 0)
        _ = unsafe snd_mixer_selem_get_playback_volume_range(element, &least, &most)
        steps = least...max(least, most)
        loudest = unsafe Self.decibels(element, of: most)
        hasSwitch = unsafe snd_mixer_selem_has_playback_switch(element) != 0
        known = (least, true)
        known = look()
    }

    deinit { _ = unsafe snd_mixer_close(handle) }

    // MARK: Level

    /// As it was when we set it or looked last.
    var level: MixerLevel { MixerLevel(percent: percent(of: known.step), isMuted: !known.isOn) }

    /// Sets it as loud as that linear factor, 0 to 1; silent at 0. What it is at already to the per cent is left alone,
    /// so that another program's own step stays.
    func set(gain: Float) {
        let isOn = gain > 0
        if isOn {
            let wanted = Double(cbrtf(gain)) * 100
            if wanted.rounded() != percent(of: known.step).rounded() {
                _ = unsafe snd_mixer_selem_set_playback_volume_all(element, step(for: wanted))
            }
        }
        if hasSwitch, isOn != known.isOn {
            _ = unsafe snd_mixer_selem_set_playback_switch_all(element, isOn ? 1 : 0)
        }
        known = look()
    }

    private func look() -> (step: Int, isOn: Bool) {
        var loudest = steps.lowerBound
        var isOn = !hasSwitch
        // Only those that the control has answer.
        for channel in 0...Int(SND_MIXER_SCHN_LAST.rawValue) {
            let channel = snd_mixer_selem_channel_id_t(rawValue: numericCast(channel))
            guard unsafe snd_mixer_selem_has_playback_channel(element, channel) != 0 else { continue }
            var step = 0
            var value: Int32 = 0
            _ = unsafe snd_mixer_selem_get_playback_volume(element, channel, &step)
            loudest = max(loudest, step)
            if hasSwitch, unsafe snd_mixer_selem_get_playback_switch(element, channel, &value) == 0 {
                isOn = isOn || value != 0
            }
        }
        return (loudest, isOn)
    }

    private func percent(of step: Int) -> Double {
        guard let loudest, let value = unsafe Self.decibels(element, of: step) else {
            return Double(step - steps.lowerBound) / Double(max(1, steps.upperBound - steps.lowerBound)) * 100
        }
        // The curve is cubic: 60 dB a factor of ten.
        return value <= Self.silence ? 0 : 100 * pow(10, Double(value - loudest) / 6000)
    }

    private func step(for percent: Double) -> Int {
        var step = 0
        if let loudest {
            let wanted = loudest + Int(6000 * log10(max(percent, 0.01) / 100))
            if unsafe snd_mixer_selem_ask_playback_dB_vol(element, wanted, 0, &step) == 0 {
                return min(max(step, steps.lowerBound), steps.upperBound)
            }
        }
        let share = min(max(percent, 0), 100) / 100
        return steps.lowerBound + Int((share * Double(steps.upperBound - steps.lowerBound)).rounded())
    }

    // MARK: Following

    /// Puts what to poll at the start of the buffer, and says how many.
    func fillPoll(_ entries: UnsafeMutableBufferPointer<pollfd>) -> Int {
        max(0, Int(unsafe snd_mixer_poll_descriptors(handle, entries.baseAddress, UInt32(entries.count))))
    }

    /// Takes what came. Returns the level where another program has changed it; throws when the card has gone.
    func polled(_ entries: UnsafeMutableBufferPointer<pollfd>) throws(SinkFailure) -> MixerLevel? {
        let broken = Int16(POLLERR | POLLHUP | POLLNVAL)
        guard unsafe entries.contains(where: { $0.revents != 0 }) else { return nil }
        if unsafe entries.contains(where: { $0.revents & broken != 0 }) {
            throw .gone("the mixer has gone")
        }
        try AlsaSink.check(unsafe snd_mixer_handle_events(handle), "events", "mixer")
        let now = look()
        guard now != known else { return nil }
        known = now
        return level
    }

    // MARK: Opening

    private static func open(_ card: String) throws(SinkFailure) -> OpaquePointer {
        var opened: OpaquePointer?
        try AlsaSink.check(unsafe snd_mixer_open(&opened, 0), "open", "mixer")
        guard let handle = unsafe opened else { throw .gone("mixer: no memory") }
        do throws(SinkFailure) {
            try AlsaSink.check(unsafe snd_mixer_attach(handle, card), "open", "mixer \(card)")
            try AlsaSink.check(unsafe snd_mixer_selem_register(handle, nil, nil), "register", "mixer \(card)")
            try AlsaSink.check(unsafe snd_mixer_load(handle), "load", "mixer \(card)")
        } catch {
            _ = unsafe snd_mixer_close(handle)
            throw error
        }
        return unsafe handle
    }

    /// The control of that name (`NAME` or `NAME,INDEX`), else the usual one, else the first that has a volume.
    private static func find(_ name: String?, in handle: OpaquePointer) -> OpaquePointer? {
        var found: (element: OpaquePointer, rank: Int)?
        var next = unsafe snd_mixer_first_elem(handle)
        while let element = unsafe next {
            unsafe next = snd_mixer_elem_next(element)
            guard unsafe snd_mixer_selem_has_playback_volume(element) != 0,
                let text = unsafe snd_mixer_selem_get_name(element)
            else { continue }
            let (own, index) = unsafe (String(cString: text), snd_mixer_selem_get_index(element))
            if let name {
                if name == "\(own),\(index)" || (name == own && index == 0) { return unsafe element }
                continue
            }
            let rank = usual.firstIndex(of: own) ?? usual.count
            if unsafe found.map({ unsafe rank < $0.rank }) ?? true { unsafe found = (element, rank) }
        }
        return unsafe found?.element
    }

    private static let usual = ["Master", "PCM", "Digital"]
    /// As alsa-lib says that a step is silent (SND_CTL_TLV_DB_GAIN_MUTE).
    private static let silence = -9_999_999

    private static func decibels(_ element: OpaquePointer, of step: Int) -> Int? {
        var value = 0
        return unsafe snd_mixer_selem_ask_playback_vol_dB(element, step, &value) == 0 ? value : nil
    }
}
