import Base
import Glibc

/// The client for people and scripts: each command is one or a few requests to the daemon.
@main
enum Jukectl {
    static func main() {
        let arguments = Array(CommandLine.arguments.dropFirst())
        exit(run(arguments).rawValue)
    }

    /// Runs a command line and tells what went wrong on standard error.
    static func run(_ arguments: [String]) -> ExitStatus {
        if arguments.first == Completion.word {
            Completion(Array(arguments.dropFirst())).print()
            return .done
        }
        do throws(ClientFailure) {
            switch try CommandLineParser(commands: CommandTable.all).parse(arguments) {
            case .version: Output(wantsJSON: false).line("jukectl \(Version.current)")
            case .help(let command): Help.show(command)
            case .run(let command, let invocation): try command.run(invocation)
            }
            return .done
        } catch {
            tell(error, asJSON: arguments.contains("--json"))
            return error.status
        }
    }

    private static func tell(_ failure: ClientFailure, asJSON: Bool) {
        var text = "jukectl: \(failure.message)\n"
        if asJSON {
            let code = failure.code.map { JSONValue.string($0) } ?? .null
            let error = JSONValue.object(["code": code, "message": .string(failure.message)])
            text = JSONText(JSONValue.object(["error": error])).string + "\n"
        }
        let bytes = Array(text.utf8)
        _ = unsafe bytes.withUnsafeBytes { unsafe write(2, $0.baseAddress, $0.count) }
    }
}
