import Base
import Foundation
import Testing

@testable import Loader

@Suite struct FileSourceTests {
    private func open(_ url: String) -> (any ByteSource, EventLog) {
        let log = EventLog()
        return (Loader().open(url: url, events: log.add), log)
    }

    @Test func aFileIsReadFromAnyOffset() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(Array("hello world".utf8), to: "a b%.mp3")
        for url in [path, "file://" + path.replacing("%", with: "%25").replacing(" ", with: "%20")] {
            let (source, log) = open(url)
            #expect(log.wait { $0.isInformation } != nil)
            #expect(source.information?.length == 11)
            #expect(source.information?.isLocal == true)
            #expect(SourceReader(source).read(from: 6, atMost: 100) == Array("world".utf8))
            #expect(source.bytesAvailable(from: 6) == 5)
            source.close()
            #expect(SourceReader(source).failure(at: 0)?.code == .internal)
        }
    }

    @Test func whatCannotBeReadSaysWhy() throws {
        let folder = try TemporaryFolder()
        let empty = try folder.write([], to: "empty.mp3")
        unsafe mkfifo(folder.path + "/fifo.mp3", 0o600)
        let rows: [(String, PlaybackFailure.Code)] = [
            (folder.path, .unsupportedFormat), (folder.path + "/none.mp3", .fileNotFound), (empty, .empty),
            (folder.path + "/fifo.mp3", .unsupportedFormat), (empty + "/x", .fileNotFound),
        ]
        for (path, code) in rows {
            let (source, log) = open(path)
            let failure = log.wait { $0.failure != nil }?.failure
            #expect(failure?.code == code, "\(path)")
            #expect(failure?.message.contains(path) == true)
            #expect(SourceReader(source).failure(at: 0) == failure)
        }
    }
}
