import Foundation

/// The inputs that the scripts in Tests/Fixtures write, made once for each version of a script.
enum Fixtures {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    static let folder = made(by: "make_mpeg.py", as: "mpeg")

    private static func made(by script: String, as name: String) -> URL {
        let script = root.appending(path: "Tests/Fixtures/\(script)")
        let text = (try? Data(contentsOf: script)) ?? Data()
        let hash = text.reduce(UInt64(14_695_981_039_346_656_037)) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 }
        let folder = root.appending(path: ".build/fixtures/\(name)-\(String(hash, radix: 16))")
        if FileManager.default.fileExists(atPath: folder.path) { return folder }
        // Made beside and renamed, so that a test run that was ended leaves nothing half done.
        let fresh = folder.appendingPathExtension("\(getpid())")
        try? FileManager.default.createDirectory(at: fresh, withIntermediateDirectories: true)
        run("python3", [script.path, fresh.path])
        try? FileManager.default.moveItem(at: fresh, to: folder)
        return folder
    }

    // MARK: Other formats

    /// What `formats.json` says of a file.
    struct Format: Decodable, Sendable {
        let rate: Int
        let channels: Int
        let lossless: Bool
        /// True when it tells how many frames were encoded.
        let exact: Bool
        /// Of what was encoded.
        let frames: Int
    }

    private static let formatsFolder = made(by: "make_formats.py", as: "formats")

    static let formats: [String: Format] = {
        let data = (try? Data(contentsOf: formatsFolder.appending(path: "formats.json"))) ?? Data()
        return (try? JSONDecoder().decode([String: Format].self, from: data)) ?? [:]
    }()

    static func format(_ name: String) -> [UInt8] {
        [UInt8]((try? Data(contentsOf: formatsFolder.appending(path: name))) ?? Data())
    }

    /// What the program ffmpeg decodes it to: interleaved floats.
    static func formatReference(_ name: String) -> [Float] {
        unsafe format(name + ".f32").withUnsafeBytes { unsafe Array($0.bindMemory(to: Float.self)) }
    }

    /// A file of Ogg as a link of a chain: with the number of the link in its title and its serial.
    static func link(_ name: String, _ number: Int) -> [UInt8] { format("links/\(number)-\(name)") }

    // MARK: MPEG audio

    static func data(_ name: String) -> [UInt8] {
        [UInt8]((try? Data(contentsOf: folder.appending(path: name))) ?? Data())
    }

    /// Frames of the stream in a clean file.
    static func streamFrames(_ name: String) -> Int {
        let counts = try? JSONDecoder().decode([String: Int].self, from: Data(data("frames.json")))
        return counts?[name] ?? 0
    }

    /// What the program mpg123 decodes to: interleaved floats.
    static func reference(_ name: String) -> [Float] {
        unsafe run("mpg123", ["-q", "-e", "f32", "-s", folder.appending(path: name).path]).withUnsafeBytes {
            unsafe Array($0.bindMemory(to: Float.self))
        }
    }

    @discardableResult
    static func run(_ program: String, _ arguments: [String]) -> Data {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [program] + arguments
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return Data() }
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return data
    }
}
