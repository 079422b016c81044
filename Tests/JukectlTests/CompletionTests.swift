import Testing

@testable import jukectl

@Suite struct CompletionTests {
    @Test(arguments: [
        (["pre"], ["previous"]), (["--json", "stat"], ["status", "stations"]),
        (["--socket", "/s", "shut"], ["shutdown"]),
        (["--socket", ""], [":files"]), (["open", "a"], [":files"]), (["mute", "o"], ["on", "off"]),
        (["add", "--n"], ["--next"]), (["pause", ""], []), (["wait", "--timeout", ""], []),
        (["sources", "re"], ["remove", "refresh"]), (["sources", "ru"], ["rules"]),
        (["downloads", "c"], ["cancel"]), (["outputs", "d"], ["devices"]), (["sea"], ["search"]),
        (["episodes", "--un"], ["--unheard"]), (["help", "vers"], ["version"]), (["nosuch", "x"], []),
        (["add", "--", "--n"], [":files"]),
    ])
    func candidatesFitWhatIsTyped(words: [String], names: [String]) {
        let candidates = Completion(words).candidates.map {
            $0.split(separator: "\t").first.map(String.init) ?? ""
        }
        #expect(candidates == names)
    }

    @Test func withoutADaemonThereIsNothingToNameEntriesBy() {
        #expect(Completion(["--socket", "/nowhere/none.sock", "play", ""]).candidates == [])
    }
}
