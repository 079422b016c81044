import Base
import Foundation
import Testing
import Wire

@Suite struct SocketLocationTests {
    private typealias Around = SocketLocation.Surroundings

    @Test func theDaemonTakesTheFirstThatIsSet() {
        var around = Around(
            socket: "/a/s", runtimeDirectory: "/run/b:/run/c", userRuntimeDirectory: "/run/user/7", userID: 7)
        #expect(SocketLocation.server(option: "/o/x.sock", around).path == "/o/x.sock")
        #expect(SocketLocation.server(option: nil, around).path == "/a/s")
        around.socket = nil
        #expect(SocketLocation.server(option: nil, around).path == "/run/b/control.sock")
        around.runtimeDirectory = nil
        #expect(SocketLocation.server(option: nil, around).path == "/run/user/7/jukeboxd/control.sock")
        around.userRuntimeDirectory = nil
        #expect(SocketLocation.server(option: nil, around).path == "/tmp/jukeboxd-7/control.sock")
        around.userID = 0
        #expect(SocketLocation.server(option: nil, around).path == "/run/jukeboxd/control.sock")
    }

    @Test func clientsLookInOrderUnlessOneIsNamed() {
        let around = Around(userRuntimeDirectory: "/run/user/7", userID: 7)
        #expect(
            SocketLocation.clientCandidates(option: nil, around).map(\.path) == [
                "/run/user/7/jukeboxd/control.sock", "/run/jukeboxd/control.sock",
                "/tmp/jukeboxd-7/control.sock",
            ])
        #expect(SocketLocation.clientCandidates(option: "/x", around).map(\.path) == ["/x"])
        #expect(
            SocketLocation.clientCandidates(option: nil, Around(socket: "/y", userID: 1)).map(\.path) == [
                "/y"
            ])
    }

    @Test func aFolderInTmpThatOthersCanEnterOrThatIsALinkIsRefused() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("jb-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let location = SocketLocation(path: folder.path + "/control.sock", folder: .shared)
        try location.prepareFolder()
        try location.checkFolder()
        unsafe chmod(folder.path, 0o755)
        #expect(throws: SystemError.self) { try location.checkFolder() }
        unsafe chmod(folder.path, 0o700)
        let link = folder.path + "-link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder.path)
        defer { try? FileManager.default.removeItem(atPath: link) }
        #expect(throws: SystemError.self) {
            try SocketLocation(path: link + "/control.sock", folder: .shared).checkFolder()
        }
    }

    @Test(arguments: ["", "/tmp/\0x", "/" + String(repeating: "x", count: 107)])
    func aPathThatNoSocketCanHaveIsAnError(_ path: String) {
        #expect(throws: SystemError.self) { try UnixAddress(path) }
    }
}
