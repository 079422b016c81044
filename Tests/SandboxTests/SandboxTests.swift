import Foundation
import Glibc
import Testing

@Suite struct SandboxTests {
    @Test func nothingIsLeftButMemoryTimeAndWhatIsOpen() throws {
        let lines = try Program.run("sandbox-probe").output.split(separator: "\n").map(String.init)
        #expect(
            lines == [
                "open \(EPERM)", "create \(EPERM)", "socket \(EPERM)", "unix \(EPERM)", "kill \(EPERM)",
                "chdir \(EPERM)", "execute \(EPERM)", "memory \(ENOMEM)", "little 0",
            ])
    }
}

/// A program of this package, run to its end.
enum Program {
    static func run(_ name: String, _ arguments: [String] = [], input: Data = Data()) throws
        -> (status: Int32, output: String, bytes: Data)
    {
        let process = Process()
        process.executableURL = folder.appendingPathComponent(name)
        process.arguments = arguments
        let (toChild, fromChild) = (Pipe(), Pipe())
        process.standardInput = toChild
        process.standardOutput = fromChild
        process.standardError = FileHandle.nullDevice
        try process.run()
        // What is small fits into the pipe; what is large is read first by these programs.
        DispatchQueue.global().async {
            try? toChild.fileHandleForWriting.write(contentsOf: input)
            try? toChild.fileHandleForWriting.close()
        }
        let bytes = try fromChild.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: bytes, as: UTF8.self), bytes)
    }

    /// Where the package's programs are built: where this one is.
    private static var folder: URL {
        URL(fileURLWithPath: ProcessInfo.processInfo.arguments[0]).deletingLastPathComponent()
    }
}
