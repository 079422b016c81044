import Base
import Foundation
import Testing

@testable import Loader

/// Against openssl's own test server, with a certificate that nobody signed.
@Suite(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl"))) struct TLSTests {
    /// A running `openssl s_server`; ends with its owner.
    private final class Server {
        let process = Process()
        let port: Int

        init(in folder: TemporaryFolder) throws {
            let make = Process()
            make.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
            make.currentDirectoryURL = URL(fileURLWithPath: folder.path)
            make.arguments =
                "req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out cert.pem -days 2 -subj /CN=localhost"
                .components(separatedBy: " ") + ["-addext", "subjectAltName=IP:127.0.0.1"]
            make.standardError = FileHandle.nullDevice
            try make.run()
            make.waitUntilExit()
            let output = Pipe()
            process.executableURL = make.executableURL
            process.currentDirectoryURL = make.currentDirectoryURL
            process.arguments = "s_server -accept 127.0.0.1:0 -key key.pem -cert cert.pem -www".components(
                separatedBy: " ")
            process.standardOutput = output
            process.standardError = FileHandle.nullDevice
            try process.run()
            var text = ""
            while !text.contains("\n") || !text.contains("ACCEPT") {
                let data = output.fileHandleForReading.availableData
                if data.isEmpty { break }
                text += String(decoding: data, as: UTF8.self)
            }
            port =
                text.split(separator: "\n").first { $0.hasPrefix("ACCEPT") }
                .flatMap { Int($0.split(separator: ":").last ?? "") } ?? 0
        }

        deinit { process.terminate() }
    }

    @Test func aCertificateIsVerifiedAndAPrivateAuthorityCanBeNamed() throws {
        let folder = try TemporaryFolder()
        let server = try Server(in: folder)
        let url = "https://127.0.0.1:\(server.port)/"
        let failure = Opened(url).failure
        #expect(failure?.code == .tls)
        #expect(failure?.message.contains("certificate") == true)
        var settings = LoaderSettings.quick
        settings.authorities = folder.path + "/cert.pem"
        let opened = Opened(url, settings)
        #expect(opened.reader.read(from: 0, atMost: 6) == Array("<HTML>".utf8))
        #expect(opened.source.information?.contentType == "text/html")
    }
}
