import Base
import CLinux
import Glibc

/// The daemon's entry: options, configuration, then the daemon until it is told to end.
@main
enum Main {
    static func main() {
        jb_limit_arenas(2)
        jb_ignore_signal(SIGPIPE)
        exit(run(Array(CommandLine.arguments.dropFirst())))
    }

    /// Returns the exit status: 0 ended in order, 1 cannot run, 2 wrong usage.
    private static func run(_ arguments: [String]) -> Int32 {
        let options: Options
        do {
            options = try Options(arguments)
        } catch {
            complain("\(error)")
            return 2
        }
        if options.wantsHelp { return show(Options.help) }
        if options.wantsVersion { return show("jukeboxd \(Version.current)\n") }
        do {
            let configuration = try Configuration(options)
            let credentials = try CredentialFiles(options).read()
            if options.onlyChecks { return show("The configuration is right.\n") }
            Log.setLevel(configuration.logLevel)
            try Daemon(options: options, configuration: configuration, credentials: credentials).run()
            return 0
        } catch let error as ConfigurationError {
            complain("\(error)")
            return error.file == nil ? 2 : 1
        } catch {
            complain("\(error)")
            return 1
        }
    }

    private static func show(_ text: String) -> Int32 {
        let bytes = Array(text.utf8)
        do {
            try unsafe bytes.withUnsafeBytes { try unsafe System.writeAll(1, $0) }
            return 0
        } catch {
            return 1
        }
    }

    private static func complain(_ text: String) { Log.error("jukeboxd", text) }
}
