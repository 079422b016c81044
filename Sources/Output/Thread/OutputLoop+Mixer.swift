import Base
// For `pollfd`, as in OutputLoop.
import CALSA
import CLinux

/// The card's own volume control, where the output is to use it.
extension OutputLoop {
    /// The gain that is left to be done in software.
    var softwareGain: Float { mixer == nil || gain == 0 ? gain : 1 }

    /// Opens the control beside the device. The first time what it is at counts, unless a volume was chosen in this run;
    /// later it is set as it was. Without it the volume is done in software, and that is told.
    func openMixer() {
        guard mixer == nil, case .alsa(_, let settings) = spec.kind, let name = settings.mixer else { return }
        do throws(SinkFailure) {
            guard let card = name.card ?? (sink as? AlsaSink)?.card else {
                throw .gone("this device has no mixer of its own; name one: mixer=hw:0")
            }
            let opened = try AlsaMixer(card: card, element: name.element)
            mixer = opened
            mixerTrouble = nil
            if adoptsMixer { takeLevel(opened.level) } else { opened.set(gain: gain) }
            adoptsMixer = false
        } catch {
            mixerTrouble = "volume in software: \(error.reason)"
        }
    }

    /// Follows what another program has set.
    func heardMixer(_ entries: UnsafeMutableBufferPointer<pollfd>) {
        do throws(SinkFailure) {
            if let level = try unsafe mixer?.polled(entries) { takeLevel(level) }
        } catch {
            // It is opened again with the device.
            mixer = nil
        }
    }

    private func takeLevel(_ level: MixerLevel) {
        gain = level.gain
        tell(.volume(percent: level.percent, isMuted: level.isMuted))
    }
}
