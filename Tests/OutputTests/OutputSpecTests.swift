import Output
import Testing

@Suite struct OutputSpecTests {
    @Test(arguments: [
        ("alsa", "alsa", OutputSpec.Kind.alsa(device: "default")),
        ("alsa:hw:CARD=PCH,DEV=0", "alsa", .alsa(device: "hw:CARD=PCH,DEV=0")),
        ("kitchen=alsa:plughw:1", "kitchen", .alsa(device: "plughw:1")),
        ("null", "null", .null(timed: true)),
        ("n-1_=null-untimed", "n-1_", .null(timed: false)),
        ("wav:/a=b.wav", "wav", .wav(path: "/a=b.wav", timed: true, rate: nil, channels: nil)),
        (
            "r=wav-untimed:x.wav?rate=48000&channels=1", "r",
            .wav(path: "x.wav", timed: false, rate: 48_000, channels: 1)
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
