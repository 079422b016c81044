import Foundation
import Glibc
import Testing

@testable import Loader
@testable import jukeboxd

@Suite struct CredentialsFileTests {
    private func read(_ text: String) throws -> CredentialsFile {
        try CredentialsFile(path: "/etc/c.conf", bytes: Array(text.utf8))
    }

    @Test func everyKeyIsTakenAsItStands() throws {
        let file = try read(
            """
            # clouds
            [https://webdav.example.org]
            user = me
            password = ge ; heim # = "x": y
            auth = digest
            user_agent = Mozilla/5.0 (X11; Linux)
            referer = https://example.org/; x

            [HTTP://[::1]:8000/]
            header = Authorization: OAuth a,b
            header = X-A:b: c; d
            client_certificate = /dev/null
            client_key = /dev/null
            resolver_command = /bin/sh  -c x

            [https://api.example.org:8443]
            token_command = /bin/true a\tb
            [https://b.example.org]
            bearer = ya29.A-b_c
            """)
        #expect(
            file.origins.map(\.origin.description) == [
                "https://webdav.example.org", "http://[::1]:8000", "https://api.example.org:8443",
                "https://b.example.org",
            ])
        let all = file.origins.map(\.credentials)
        #expect(all[0].login == OriginCredentials.Login(user: "me", password: "ge ; heim # = \"x\": y"))
        #expect(all[0].isDigest)
        #expect(all[0].userAgent == "Mozilla/5.0 (X11; Linux)")
        #expect(all[0].referer == "https://example.org/; x")
        #expect(all[1].headers == [.init("Authorization", "OAuth a,b"), .init("X-A", "b: c; d")])
        #expect(all[1].clientKey == "/dev/null")
        #expect(all[1].resolverCommand == ["/bin/sh", "-c", "x"])
        #expect(all[2].tokenCommand == ["/bin/true", "a", "b"])
        #expect(all[3].bearer == "ya29.A-b_c")
    }

    @Test(arguments: [
        ("user = me\n", 1), ("[example.org]\nuser = geheim\n", 2), ("[https://h/music]\nuser = geheim\n", 2),
        ("[https://me:geheim@h]\nuser = geheim\n", 2), ("[https://h]\nusr = geheim\n", 2),
        ("[https://h]\nuser = a:geheim\n", 2), ("[https://h]\nuser = a\nuser = geheim\n", 3),
        ("[https://h]\npassword = geheim\n", 2), ("[https://h]\nauth = geheim\n", 2),
        ("[https://h]\nauth = digest\n", 2), ("[https://h]\nbearer = a geheim\n", 2),
        ("[https://h]\nheader = geheim\n", 2), ("[https://h]\nheader = Range: geheim\n", 2),
        ("[https://h]\nheader = A B: geheim\n", 2), ("[https://h]\nclient_key = geheim.pem\n", 2),
        ("[https://h]\nclient_certificate = /no/geheim.pem\n", 2),
        ("[https://h]\nclient_key = /dev/null\n", 2),
        ("[https://h]\ntoken_command = geheim\n", 2), ("[https://h]\ntoken_command = /no/geheim\n", 2),
        ("[https://h]\nresolver_command = sh -c geheim\n", 2),
        ("[https://h]\nuser = a\npassword = geheim\nbearer = geheim\n", 2),
        ("[https://h]\nheader = authorization: geheim\nuser = a\n", 2),
        ("[https://h]\nuser = a\n[http://h]\nuser = b\n[https://H:443]\nuser = geheim\n", 6),
        ("[https://h]\ngeheim\n", 2),
    ])
    func mistakesNameTheLineAndNoSecret(text: String, line: Int) {
        #expect {
            try read(text)
        } throws: { error in
            (error as? ConfigurationError)?.line == line && !"\(error)".contains("geheim")
        }
    }

    @Test(arguments: [
        (mode_t(0o600), true), (0o400, true), (0o640, false), (0o604, false), (0o660, false), (0o601, false),
        (0o644, false),
    ])
    func aFileThatOthersHaveRightsToIsRefused(mode: mode_t, isTaken: Bool) throws {
        let path = NSTemporaryDirectory() + "jb-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Data("[https://h]\nbearer = x\n".utf8).write(to: URL(fileURLWithPath: path))
        _ = unsafe chmod(path, mode)
        if isTaken {
            #expect(try PrivateFile.contents(path, .mine)?.count == 23)
        } else {
            #expect {
                try PrivateFile.contents(path, .mine)
            } throws: { "\($0)".contains("chmod 600") && "\($0)".contains(path) }
        }
    }

    @Test(arguments: [
        (UInt32(5), mode_t(0o600), PrivateFile.Rule.mine, true), (0, 0o600, .mine, true),
        (6, 0o600, .mine, false),
        (0, 0o440, .service, true), (6, 0o400, .service, true), (0, 0o444, .service, false),
    ])
    func theOwnerIsThisUserOrRoot(owner: UInt32, mode: mode_t, rule: PrivateFile.Rule, isTaken: Bool) {
        var status = stat()
        status.st_mode = S_IFREG | mode
        status.st_uid = owner
        #expect((PrivateFile.fault(of: status, rule, uid: 5) == nil) == isTaken)
    }

    @Test func whatIsNoFileIsRefusedAndWhatIsNotThereIsNone() throws {
        #expect(throws: ConfigurationError.self) { try PrivateFile.contents("/", .mine) }
        #expect(try PrivateFile.contents("/no/such", .mine) == nil)
        #expect(try PrivateFile.contents("/dev/null/x", .mine) == nil)
    }

    @Test func theFirstSourceOfAnOriginCounts() throws {
        let folder = NSTemporaryDirectory() + "jb-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        func write(_ text: String, _ name: String) throws -> String {
            let path = folder + "/" + name
            try Data(text.utf8).write(to: URL(fileURLWithPath: path))
            _ = unsafe chmod(path, 0o600)
            return path
        }
        var files = CredentialFiles(try Options(["--config", folder + "/jukeboxd.conf"]))
        #expect(files.beside == [folder + "/credentials.conf"])
        files.service = try write("[https://a]\nuser = service\n", "service")
        _ = try write("[https://a]\nuser = file\n[https://b]\nuser = file\n", "credentials.conf")
        files.netrc = try write("machine b login netrc password x machine c login netrc password x", "netrc")
        let store = try files.read()
        let users = ["https://a", "https://b", "https://c"].map { text in
            Origin(text).flatMap { store.credentials(for: $0, isNamed: true)?.login?.user }
        }
        #expect(users == ["service", "file", "netrc"])
        _ = unsafe chmod(folder + "/netrc", 0o644)
        #expect(try files.read().count == 2)
    }
}
