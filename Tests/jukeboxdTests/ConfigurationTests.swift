import Base
import Output
import Testing

@testable import jukeboxd

@Suite struct ConfigurationTests {
    private func read(_ text: String) throws -> Configuration {
        var configuration = Configuration()
        try configuration.apply(INIFile(path: "/etc/j.conf", bytes: Array(text.utf8)))
        return configuration
    }

    @Test func keysAreTakenWithTheirSections() throws {
        let configuration = try read(
            "# all of it\n[player]\nstart_volume = 40\n[loader]\nstall_timeout=5 ; soon\n[log]\nlevel = debug\n"
        )
        #expect(configuration.startVolume == 40)
        #expect(configuration.stallTimeout == 5)
        #expect(configuration.logLevel == .debug)
    }

    @Test func outputsHaveNamesOfTheirOwn() throws {
        let configuration = try read("[outputs]\nroom = null\nfile = wav:/tmp/x.wav\n")
        #expect(configuration.outputs.map(\.name) == ["room", "file"])
    }

    @Test(arguments: [
        ("[player]\nstart_volume = 101\n", 2), ("[player]\nstart_volume = x\n", 2),
        ("\n\n[playr]\na = b\n", 4),
        ("[player]\nstart_volumes = 1\n", 2), ("[outputs]\na b = null\n", 2), ("[outputs]\na = oboe\n", 2),
        ("nonsense\n", 1), ("[player\n", 1), ("[loader]\nca_file = x.pem\n", 2), ("a = b\n", 1),
        ("[outputs]\na = null\nb = null\na = null\n", 4),
    ])
    func mistakesNameTheLine(text: String, line: Int) {
        #expect {
            try read(text)
        } throws: { error in
            (error as? ConfigurationError)?.line == line && "\(error)".contains("/etc/j.conf:\(line)")
        }
    }

    @Test func stationsAreKnownByTheLongestPrefixOfTheirURLs() throws {
        let long = "https://radio.example/" + String(repeating: "long/", count: 20)
        let configuration = try read(
            """
            [station http://radio.example/]
            charset = windows-1251
            [station http://radio.example/jp]
            charset = shift_jis ; comment
            [station http://[::1]:8000/] # a comment with ]
            charset = koi8-r
            [station \(long)]
            charset = latin1
            """)
        let stations = configuration.stations
        #expect(stations.charset(of: "http://Radio.Example/one.mp3") == "windows-1251")
        #expect(stations.charset(of: "http://radio.example/jp/two.mp3") == "shift_jis")
        #expect(stations.charset(of: "http://[::1]:8000/x") == "koi8-r")
        #expect(stations.charset(of: long + "x") == "latin1")
        #expect(stations.charset(of: "http://other.example/") == nil)
    }

    @Test(arguments: [
        "[station]\ncharset = latin1\n", "[station ftp://h/]\ncharset = latin1\n",
        "[station http://h/]\ncharset = klingon\n", "[station http://h/]\ncolour = red\n",
    ])
    func mistakesInStationsAreTold(text: String) {
        #expect(throws: ConfigurationError.self) { try read(text) }
    }

    @Test func aLineThatIsTooLongIsRefusedNotCut() {
        #expect(throws: ConfigurationError.self) {
            try read("[loader]\nuser_agent = " + String(repeating: "a", count: 9000) + "\n")
        }
    }

    @Test func randomBytesNeverTrap() {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<200 {
            let bytes = (0..<300).map { _ in UInt8.random(in: 0...255, using: &generator) }
            _ = try? INIFile(path: "x", bytes: bytes)
        }
    }
}
