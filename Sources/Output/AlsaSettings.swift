/// What may be said of a sound card beside its name.
package struct AlsaSettings: Equatable, Sendable {
    /// Whether frames that a device holds may be taken back, to fade out at a pause and to change the volume
    /// at once. Sound servers say that they can and cannot, so only a card of one's own does by itself.
    package enum Rewinding: Equatable, Sendable {
        /// Where the device is a card's own (`hw:`).
        case automatic
        case always
        /// Nor does sound fade in after a break.
        case never
    }

    package var rewinding: Rewinding
    /// Others may have the device while nothing plays but is only paused.
    package var isReleasedOnPause: Bool
    /// The card's own control that sets the volume; nil where it is made louder and softer before the card.
    package var mixer: MixerName?

    package init(
        rewinding: Rewinding = .automatic, isReleasedOnPause: Bool = false, mixer: MixerName? = nil
    ) {
        self.rewinding = rewinding
        self.isReleasedOnPause = isReleasedOnPause
        self.mixer = mixer
    }
}

/// A volume control of a sound card, by the names that amixer(1) shows.
package struct MixerName: Equatable, Sendable {
    /// ALSA's name for the card, such as `hw:0`; nil for the card of the device.
    package var card: String?
    /// Such as `PCM` or `Speaker,1`; nil for the first of Master, PCM, Digital and any other.
    package var element: String?

    package init(card: String? = nil, element: String? = nil) {
        self.card = card
        self.element = element
    }
}
