import Base
import Testing

@testable import jukeboxd

@Suite struct OptionsTests {
    @Test func valuesStandBehindABlankOrASign() throws {
        let options = try Options(["--socket", "/s", "--output=room=null", "--output", "null", "--check"])
        #expect(options.socket == "/s")
        #expect(options.outputs == ["room=null", "null"])
        #expect(options.onlyChecks)
    }

    @Test(arguments: [
        (["--sokcet", "/s"], "--sokcet: unknown option; see jukeboxd --help"),
        (["--socket"], "--socket: needs a value: --socket PATH"),
        (["--check=yes"], "--check: takes no value"),
        (["--log-level", "loud"], "--log-level: \"loud\" is not one of error, warning, info, debug"),
    ])
    func mistakesNameTheOptionAndTheRemedy(arguments: [String], message: String) {
        #expect {
            try Options(arguments)
        } throws: { error in
            "\(error)" == message
        }
    }

    @Test func everyOptionStandsInTheHelp() {
        for option in Options.all { #expect(Options.help.contains(option.name)) }
    }
}
