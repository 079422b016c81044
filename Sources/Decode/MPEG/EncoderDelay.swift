/// The samples that an encoder put before and behind the sound, as LAME and those after it note them.
/// Source: http://gabriel.mp3-tech.org/mp3infotag.html
enum EncoderDelay {
    /// Where the two numbers of 12 bits lie behind the start of the Xing header with all its fields.
    private static let place = 120 + 21

    /// How many both are together, by the first frame; 0 where that does not tell.
    static func samples(_ bytes: [UInt8], frame: Int, _ header: MPEGFrameHeader) -> Int {
        let start = frame + 4 + header.sideInformationBytes
        // Only with all four fields is the rest where it belongs.
        guard start + place + 3 <= bytes.count, bytes[start + 7] & 0x0F == 0x0F, bytes[start + 120] > 0x20
        else {
            return 0
        }
        let number = bytes[start + place..<start + place + 3].reduce(0) { $0 << 8 | Int($1) }
        let (delay, padding) = (number >> 12, number & 0xFFF)
        return delay < 4608 && padding < 4608 ? delay + padding : 0
    }
}
