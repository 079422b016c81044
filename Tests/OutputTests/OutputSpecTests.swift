import Output
import Testing

@Suite struct OutputSpecTests {
    @Test(arguments: [
        ("alsa", "alsa", OutputSpec.Kind.alsa(device: "default")),
        ("alsa:hw:CARD=PCH,DEV=0", "alsa", .alsa(device: "hw:CARD=PCH,DEV=0")),
        ("kitchen=alsa:plughw:1", "kitchen", .alsa(device: "plughw:1")),
        (
            "alsa:hw:0?release_on_pause=true", "alsa",
            .alsa(device: "hw:0", AlsaSettings(isReleasedOnPause: true))
        ),
        ("alsa:hw:0?volume=hardware", "alsa", .alsa(device: "hw:0", AlsaSettings(mixer: MixerName()))),
        (
            "alsa:x?element=Line Out,1&mixer=hw:1", "alsa",
            .alsa(device: "x", AlsaSettings(mixer: MixerName(card: "hw:1", element: "Line Out,1")))
        ),
        ("alsa:hw:0?volume=software", "alsa", .alsa(device: "hw:0")),
        ("null", "null", .null(timed: true)),
        ("n-1_=null-untimed", "n-1_", .null(timed: false)),
        ("wav:/a=b.wav", "wav", .wav(path: "/a=b.wav", timed: true, rate: nil, channels: nil)),
        (
            "r=wav-untimed:x.wav?rate=48000&channels=1", "r",
            .wav(path: "x.wav", timed: false, rate: 48_000, channels: 1)
        ),
        ("fifo:/run/f", "fifo", .fifo(path: "/run/f", .usual)),
        (
            "rooms=fifo:f?format=44100:24:1&lead=500", "rooms",
            .fifo(
                path: "f",
                StreamFormat(sampleRate: 44_100, bits: 24, channels: 1, lead: .milliseconds(500)))
        ),
        ("tcp:snap.example:4953", "tcp", .tcp(host: "snap.example", port: 4953, .usual)),
        (
            "tcp:[::1]:4953?lead=20", "tcp",
            .tcp(
                host: "::1", port: 4953,
                StreamFormat(sampleRate: 48_000, bits: 16, channels: 2, lead: .milliseconds(20)))
        ),
    ])
    func textsBecomeOutputs(text: String, name: String, kind: OutputSpec.Kind) throws {
        #expect(try OutputSpec(parsing: text) == OutputSpec(name: name, kind: kind))
    }

    @Test(arguments: [
        ("", "none of"), ("pulse", "none of"), ("alsa:", "names no device"), ("wav:", "names no file"),
        ("wav", "none of"), ("a b=null", "output name"), ("=null", "output name"),
        ("wav:x?rate=7", "rate=8000"), ("wav:x?channels=9", "channels=1"), ("wav:x?", "rate="),
        ("wav:x?colour=red", "colour=red"), ("null:x", "none of"),
        ("alsa:?volume=hardware", "names no device"), ("alsa:hw:0?volume=loud", "volume="),
        ("alsa:hw:0?release_on_pause=1", "release_on_pause="), ("alsa:hw:0?element=", "element="),
        ("fifo", "none of"), ("fifo:", "names no FIFO"), ("fifo:x?format=48000:20:2", "format="),
        ("fifo:x?lead=5", "lead="), ("tcp:host", "HOST:PORT"), ("tcp::80", "HOST:PORT"),
        ("tcp:host:0", "HOST:PORT"), ("tcp:host:65536", "HOST:PORT"),
        (String(repeating: "n", count: 65) + "=null", "output name"),
    ])
    func badTextsSayWhatIsWrong(text: String, part: String) {
        #expect {
            try OutputSpec(parsing: text)
        } throws: { error in
            (error as? OutputSpec.Failure)?.reason.contains(part) ?? false
        }
    }

    @Test func noOutputGivenIsTheAutomaticOne() throws {
        #expect(try OutputSpec.all(parsing: []) == [OutputSpec(name: "default", kind: .automatic)])
    }

    @Test func sameNameTwiceAndFiveOutputsAreRefused() {
        #expect(throws: OutputSpec.Failure.self) { try OutputSpec.all(parsing: ["null", "null-untimed"]) }
        #expect(throws: OutputSpec.Failure.self) {
            try OutputSpec.all(parsing: (1...5).map { "n\($0)=null" })
        }
    }
}
