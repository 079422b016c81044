import Base
import Testing

@testable import jukectl

@Suite struct CommandLineParserTests {
    private func parse(_ line: String) throws(ClientFailure) -> CommandLineParser.Request {
        try CommandLineParser(commands: CommandTable.all).parse(line.split(separator: " ").map(String.init))
    }

    @Test func optionsStandBeforeOrAfterTheCommand() throws {
        for line in ["--json --socket /s add --at 2 a b", "add a b --at=2 --json --socket=/s"] {
            guard case .run(let command, let invocation) = try parse(line) else {
                Issue.record("not a command: \(line)")
                continue
            }
            #expect(command.name == "add")
            #expect(invocation.words == ["a", "b"])
            #expect(invocation.options == ["--json": "", "--socket": "/s", "--at": "2"])
        }
    }

    @Test(arguments: [("seek -10", "-10"), ("volume -5", "-5"), ("open -- --strange.mp3", "--strange.mp3")])
    func aWordMayLookLikeAnOption(line: String, word: String) throws {
        guard case .run(_, let invocation) = try parse(line) else {
            Issue.record("not a command")
            return
        }
        #expect(invocation.words == [word])
    }

    @Test(arguments: [
        ("opne x", "no command"), ("play 1 2", "\"2\""), ("open", "usage: jukectl open"),
        ("pause --next", "no option --next"), ("add --at", "needs its N"),
        ("pause --json=1", "takes no value"),
        ("--next add", "no option --next before the command"), ("sta", "did you mean status or stations?"),
    ])
    func aMistakeIsNamed(line: String, words: String) {
        do throws(ClientFailure) {
            _ = try parse(line)
            Issue.record("was taken: \(line)")
        } catch {
            #expect(error.status == .wrongUsage)
            #expect(error.message.contains(words), "\(error.message)")
        }
    }

    @Test func helpIsThereForEveryCommand() throws {
        for command in CommandTable.all {
            #expect(Help.overview.contains("  \(command.name) "))
            #expect(Help.text(of: command).contains("usage: jukectl \(command.name)"))
            guard case .help(let found?) = try parse("\(command.name) --help") else {
                Issue.record("no help: \(command.name)")
                continue
            }
            #expect(found.name == command.name)
        }
    }
}
