import Base
import Foundation
import Testing

@testable import Loader

/// Against openssl's own test server, with certificates of an authority of our own.
@Suite(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl"))) struct TLSTests {
    /// A folder with an authority (`ca.pem`), and certificates that it signed.
    private final class Authority {
        let folder: TemporaryFolder

        init() throws {
            folder = try TemporaryFolder()
            try openssl(
                "req -x509 -newkey rsa:2048 -nodes -keyout ca.key -out ca.pem -days 2 -subj /CN=authority")
            try sign("server", alternative: "IP:127.0.0.1")
            try sign("stranger", alternative: "DNS:somebody.else")
            try sign("client", alternative: "DNS:me")
        }

        func path(_ name: String) -> String { folder.path + "/" + name }

        private func sign(_ name: String, alternative: String) throws {
            let extensions = try folder.write(
                Array("subjectAltName=\(alternative)\n".utf8), to: name + ".ext")
            try openssl("req -newkey rsa:2048 -nodes -keyout \(name).key -out \(name).csr -subj /CN=\(name)")
            try openssl(
                "x509 -req -in \(name).csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -out \(name).pem"
                    + " -extfile \(extensions)")
        }

        func openssl(_ arguments: String) throws {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
            process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
            process.arguments = arguments.components(separatedBy: " ")
            process.standardError = FileHandle.nullDevice
            process.standardOutput = FileHandle.nullDevice
            try process.run()
            process.waitUntilExit()
            #expect(process.terminationStatus == 0, "openssl \(arguments)")
        }
    }

    /// A running `openssl s_server`; ends with its owner.
    private final class Server {
        let process = Process()
        let port: Int
        var url: String { "https://127.0.0.1:\(port)/x" }

        init(_ authority: Authority, certificate: String = "server", _ more: String = "") throws {
            let output = Pipe()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
            process.currentDirectoryURL = URL(fileURLWithPath: authority.folder.path)
            let arguments =
                "s_server -accept 127.0.0.1:0 -key \(certificate).key -cert \(certificate).pem -www \(more)"
            process.arguments = arguments.split(separator: " ").map(String.init)
            process.standardOutput = output
            process.standardError = FileHandle.nullDevice
            try process.run()
            var text = ""
            while text.range(of: "ACCEPT [^\n]*\n", options: .regularExpression) == nil {
                let data = output.fileHandleForReading.availableData
                if data.isEmpty { break }
                text += String(decoding: data, as: UTF8.self)
            }
            port =
                text.split(separator: "\n").first { $0.hasPrefix("ACCEPT") }
                .flatMap { Int($0.split(separator: ":").last ?? "") } ?? 0
        }

        // It inherits the tests' blocked signals, so that no other ends it.
        deinit { kill(process.processIdentifier, SIGKILL) }
    }

    private func settings(_ authority: Authority) -> LoaderSettings {
        var settings = LoaderSettings.quick
        settings.authorities = authority.path("ca.pem")
        return settings
    }

    @Test func aCertificateIsVerifiedAndAPrivateAuthorityCanBeNamed() throws {
        let authority = try Authority()
        let server = try Server(authority)
        let failure = Opened(server.url).failure
        #expect(failure?.code == .tls)
        #expect(failure?.message.contains("certificate") == true)
        let opened = Opened(server.url, settings(authority))
        #expect(opened.reader.read(from: 0, atMost: 6) == Array("<HTML>".utf8))
        #expect(opened.source.information?.contentType == "text/html")
    }

    @Test func aCertificateForAnotherNameIsRefused() throws {
        let authority = try Authority()
        let server = try Server(authority, certificate: "stranger")
        #expect(Opened(server.url, settings(authority)).failure?.code == .tls)
    }

    @Test(arguments: [false, true])
    func aClientCertificateIsShownToItsOriginOnly(isInOneFile: Bool) throws {
        let authority = try Authority()
        let server = try Server(authority, "-Verify 1 -verify_return_error -CAfile ca.pem")
        var credentials = OriginCredentials()
        credentials.clientCertificate = authority.path("client.pem")
        credentials.clientKey = authority.path("client.key")
        if isInOneFile {
            let both = try ["client.pem", "client.key"].map {
                try String(contentsOfFile: authority.path($0), encoding: .utf8)
            }
            credentials.clientCertificate = try authority.folder.write(
                Array(both.joined().utf8), to: "both.pem")
            credentials.clientKey = nil
        }
        var store = CredentialStore()
        store.add(credentials, for: try #require(Origin("https://127.0.0.1:\(server.port)")))
        let opened = Opened(server.url, credentials: store, settings(authority))
        #expect(opened.reader.read(from: 0, atMost: 6) == Array("<HTML>".utf8))
        var other = CredentialStore()
        other.add(credentials, for: try #require(Origin("https://127.0.0.1:\(server.port + 1)")))
        let without = Opened(server.url, credentials: other, settings(authority))
        #expect(without.failure?.code == .tls)
    }
}
