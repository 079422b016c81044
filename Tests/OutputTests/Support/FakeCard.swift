import Foundation
import Output
import Testing

/// The PCM plugin below Tests/Fixtures/fakecard as a device that one test plays to.
final class FakeCard {
    /// The file that the card records into.
    let capture: String
    private let folder: ScratchFolder
    private let options: String

    /// `options` are further arguments of the PCM, such as `SPEED=20,RATE=48000`.
    init(_ options: String = "SPEED=1") throws {
        try #require(FakeCard.isInstalled)
        folder = try ScratchFolder()
        capture = folder.file("capture.raw")
        self.options = options
    }

    /// The output that plays to this card.
    func spec(
        rewinding: AlsaSettings.Rewinding = .never, isReleasedOnPause: Bool = false, mixer: MixerName? = nil,
        name: String = "card"
    ) -> OutputSpec {
        let settings = AlsaSettings(
            rewinding: rewinding, isReleasedOnPause: isReleasedOnPause, mixer: mixer)
        return OutputSpec(name: name, kind: .alsa(device: "fake:FILE=\(capture),\(options)", settings))
    }

    /// Sets a flag that steers the card: `gone`, `busy`, `hang`, `xrun`.
    func set(_ flag: String) {
        _ = FileManager.default.createFile(atPath: "\(capture).\(flag)", contents: nil)
    }

    func clear(_ flag: String) { try? FileManager.default.removeItem(atPath: "\(capture).\(flag)") }

    func has(_ flag: String) -> Bool { FileManager.default.fileExists(atPath: "\(capture).\(flag)") }

    /// The card's own volume control, by its only name.
    var mixer: MixerName { MixerName(card: "fakemixer:FILE=\(capture)", element: "Master") }

    /// Sets the card's control as another program does: 0 to 100 (-50 to 0 dB), and whether it is on.
    func setMixer(_ volume: Int, isOn: Bool = true) throws {
        let fresh = "\(capture).fresh"
        try "\(volume) \(isOn ? 1 : 0)".write(toFile: fresh, atomically: false, encoding: .utf8)
        unsafe #expect(rename(fresh, "\(capture).mixer") == 0)
    }

    /// What the control is at: "VOLUME SWITCH".
    var mixerState: String {
        ((try? String(contentsOfFile: "\(capture).mixer", encoding: .utf8)) ?? "100 1")
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// True while this process holds the card.
    var isOpen: Bool {
        let fds = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return fds.contains { fd in
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(fd)")) == capture
        }
    }

    /// What was played, as bytes.
    var bytes: [UInt8] {
        (try? Data(contentsOf: URL(fileURLWithPath: capture))).map { [UInt8]($0) } ?? []
    }

    /// What was played on the first of `channels` channels, as 32-bit samples.
    func samples(channels: Int = 2) -> [Int32] {
        let bytes = bytes
        return stride(from: 0, to: bytes.count - 3, by: 4 * channels).map { at in
            Int32(truncatingIfNeeded: (0..<4).reduce(0) { $0 | Int(bytes[at + $1]) << (8 * $1) })
        }
    }

    /// Frame numbers that a fine ramp carries.
    func frames(channels: Int = 2) -> [Int] { samples(channels: channels).map { Int($0 >> 8) } }

    /// Builds the plugin and names it to alsa-lib, once a process.
    private static let isInstalled: Bool = {
        let folder = NSTemporaryDirectory() + "jukeboxd-fakecard-\(getpid())"
        let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Fixtures/fakecard").path
        let library = folder + "/libasound_module_pcm_fakecard.so"
        let configuration = """
            </usr/share/alsa/alsa.conf>
            pcm_type.fakecard { lib "\(library)" }
            ctl_type.fakecard { lib "\(folder)/libasound_module_ctl_fakecard.so" }
            ctl.fakemixer {
                @args [ FILE ]
                @args.FILE { type string }
                type fakecard
                file $FILE
            }
            pcm.fake {
                @args [ FILE SPEED NOPAUSE GRAN PATIENT SHORT FORMAT RATE CHANNELS ]
                @args.FILE { type string }
                @args.SPEED { type real default 1.0 }
                @args.NOPAUSE { type integer default 0 }
                @args.GRAN { type integer default 0 }
                @args.PATIENT { type integer default 0 }
                @args.SHORT { type integer default 0 }
                @args.FORMAT { type string default any }
                @args.RATE { type integer default 0 }
                @args.CHANNELS { type integer default 0 }
                type fakecard
                file $FILE
                speed $SPEED
                nopause $NOPAUSE
                gran $GRAN
                patient $PATIENT
                short $SHORT
                format $FORMAT
                rate $RATE
                channels $CHANNELS
            }
            """
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try configuration.write(toFile: folder + "/asound.conf", atomically: true, encoding: .utf8)
            let make = Process()
            make.executableURL = URL(fileURLWithPath: "/usr/bin/make")
            make.arguments = ["-s", "-C", sources, "OUT=\(folder)"]
            try make.run()
            make.waitUntilExit()
            _ = unsafe setenv("ALSA_CONFIG_PATH", folder + "/asound.conf", 1)
            return make.terminationStatus == 0
        } catch {
            return false
        }
    }()
}
