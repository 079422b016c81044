import Foundation
import Testing

/// `jukebox-picture` as the daemon runs it.
@Suite struct ThumbnailTests {
    /// A picture of that size, made by ffmpeg.
    private func picture(_ size: String, _ format: String, source: String = "testsrc2") throws -> Data {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("jb-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("p.\(format)")
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/ffmpeg")
        process.arguments = [
            "-v", "error", "-f", "lavfi", "-i", "\(source)=size=\(size)", "-frames:v", "1", file.path,
        ]
        process.standardInput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return try Data(contentsOf: file)
    }

    /// Width and height of a JPEG, from the frame header (ITU-T T.81, B.2.2).
    private func size(ofJPEG data: Data) -> [Int]? {
        let bytes = [UInt8](data)
        var index = 2
        while index + 9 < bytes.count, bytes[index] == 0xFF {
            if [0xC0, 0xC1, 0xC2].contains(bytes[index + 1]) {
                return [
                    Int(bytes[index + 7]) << 8 | Int(bytes[index + 8]),
                    Int(bytes[index + 5]) << 8 | Int(bytes[index + 6]),
                ]
            }
            index += 2 + (Int(bytes[index + 2]) << 8 | Int(bytes[index + 3]))
        }
        return nil
    }

    @Test(arguments: ["png", "jpg", "gif", "webp", "bmp"])
    func everyUsualFormatBecomesASmallPicture(_ format: String) throws {
        let (status, _, bytes) = try Program.run(
            "jukebox-picture", ["320"], input: picture("1600x900", format))
        #expect(status == 0)
        #expect(size(ofJPEG: bytes) == [320, 180])
        #expect(bytes.count < 60_000)
    }

    @Test func aSmallOneKeepsItsSize() throws {
        let (status, _, bytes) = try Program.run("jukebox-picture", ["320"], input: picture("64x48", "png"))
        #expect(status == 0)
        #expect(size(ofJPEG: bytes) == [64, 48])
    }

    @Test func whatCanBeSeenThroughStaysSo() throws {
        let clear = try picture("64x48", "png", source: "color=c=red@0.5,format=rgba,scale")
        let (status, _, bytes) = try Program.run("jukebox-picture", ["32"], input: clear)
        #expect(status == 0)
        #expect(bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]))
    }

    @Test func whatIsNoPictureIsNone() throws {
        let whole = try picture("320x200", "png")
        let cases = [
            Data(), Data("<html>".utf8), Data([0xFF, 0xD8, 0xFF]), whole.prefix(whole.count / 3),
            Data(count: 1 << 20),
        ]
        for data in cases {
            let (status, _, bytes) = try Program.run("jukebox-picture", ["320"], input: data)
            #expect(status == 1)
            #expect(bytes.isEmpty)
        }
    }

    @Test func oneThatClaimsToBeHugeCostsNothing() throws {
        // IHDR: 30000 x 30000 pixels in four channels.
        var head: [UInt8] = [
            0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52,
        ]
        head += [0, 0, 0x75, 0x30, 0, 0, 0x75, 0x30, 8, 6, 0, 0, 0, 0, 0, 0, 0]
        #expect(try Program.run("jukebox-picture", ["320"], input: Data(head)).status == 1)
    }

    @Test(arguments: [[], ["0"], ["x"], ["320", "1"]])
    func wrongUsageIsTold(_ arguments: [String]) throws {
        #expect(try Program.run("jukebox-picture", arguments).status == 2)
    }
}
