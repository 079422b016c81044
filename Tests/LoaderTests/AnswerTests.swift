import Base
import Testing

@testable import Loader

@Suite struct AnswerTests {
    private func answer(
        _ head: ResponseHead, at offset: Int64 = 0, isRanged: Bool = true, known: Answer.Known = .init()
    ) throws -> Answer {
        guard case .remote(let url) = try ResourceLocation("http://h/") else { return .askPlainly }
        var request = LoadingRequest(url: url)
        request.offset = offset
        request.isRanged = isRanged
        return Answer(head, to: request, known: known)
    }

    private let half = Answer.Known(
        length: 100, validator: Validator(etag: "\"1\""), isLive: false, hasBytes: true)

    @Test func whatTheServerSaysIsBelievedOverWhatWasAsked() throws {
        #expect(try answer(head("HTTP/1.1 200 OK")) == .data(from: 0))
        #expect(try answer(head("HTTP/1.1 200 OK"), at: 50, known: half) == .data(from: 0))
        let range = { (value: String) in head("HTTP/1.1 206 x", "Content-Range: \(value)") }
        #expect(try answer(range("bytes 50-99/100"), at: 50, known: half) == .data(from: 50))
        #expect(try answer(range("bytes 40-99/100"), at: 50, known: half) == .data(from: 40))
        #expect(try answer(range("bytes 60-99/100"), at: 50, known: half) == .askPlainly)
        #expect(try answer(range("bytes 50-99/101"), at: 50, known: half) == .changed)
        #expect(try answer(range("bytes 50-99/*"), at: 50, known: half) == .data(from: 50))
        #expect(try answer(head("HTTP/1.1 206 x")) == .askPlainly)
        #expect(try answer(head("HTTP/1.1 206 x"), isRanged: false) == .data(from: 0))
    }

    @Test func anotherVersionIsNeverSpliced() throws {
        let range = "Content-Range: bytes 50-99/100"
        #expect(try answer(head("HTTP/1.1 206 x", range, "ETag: \"2\""), at: 50, known: half) == .changed)
        #expect(
            try answer(head("HTTP/1.1 206 x", range, "ETag: \"1\""), at: 50, known: half) == .data(from: 50))
        #expect(try answer(head("HTTP/1.1 200 x", "ETag: \"2\""), at: 50, known: half) == .changed)
        #expect(try answer(head("HTTP/1.1 200 x", "Content-Length: 99"), at: 50, known: half) == .changed)
        #expect(
            try answer(head("HTTP/1.1 416 x", "Content-Range: bytes */40"), at: 50, known: half) == .changed)
    }

    @Test func aTagThatWasMadeWeakNamesTheSame() throws {
        let range = "Content-Range: bytes 50-99/100"
        #expect(
            try answer(head("HTTP/1.1 206 x", range, "ETag: W/\"1\""), at: 50, known: half) == .data(from: 50)
        )
    }

    @Test func nothingBeyondTheEndIsTheEnd() throws {
        let total = head("HTTP/1.1 416 x", "Content-Range: bytes */100")
        var unknown = half
        unknown.length = nil
        #expect(try answer(total, at: 100, known: half) == .end(100))
        #expect(try answer(total, at: 100, known: unknown) == .end(100))
        #expect(try answer(head("HTTP/1.1 416 x"), at: 100, known: unknown) == .end(100))
        #expect(try answer(total, at: 50, known: half) == .askPlainly)
        #expect(try answer(total) == .askPlainly)
        #expect(
            try answer(head("HTTP/1.1 416 x", "Content-Range: bytes */0"))
                == .failed(.empty, "has nothing in it"))
    }

    @Test(arguments: [400, 403, 405, 406, 412])
    func aFirstRequestThatIsRefusedIsAskedAgainWithoutARange(status: Int) throws {
        #expect(try answer(head("HTTP/1.1 \(status) x")) == .askPlainly)
    }

    @Test func aServersTroubleSaysNothingOfRangesForGood() throws {
        #expect(
            try answer(head("HTTP/1.1 500 x")) == .failed(.httpError, "was answered with HTTP status 500"))
    }

    @Test func whoAsksForPatienceIsNotAskedAgainAtOnce() throws {
        let head = head("HTTP/1.1 503 x", "Retry-After: 3")
        #expect(try answer(head) == .failed(.httpError, "was answered with HTTP status 503"))
    }

    @Test(arguments: [
        (401, PlaybackFailure.Code.unauthorized), (403, .forbidden), (404, .notFound), (410, .gone),
        (500, .httpError),
        (503, .httpError), (429, .httpError), (304, .httpError), (302, .httpError), (204, .empty),
        (999, .httpError),
    ])
    func aRefusalHasItsCode(status: Int, code: PlaybackFailure.Code) throws {
        guard case .failed(let got, let reason) = try answer(head("HTTP/1.1 \(status) x"), isRanged: false)
        else {
            Issue.record("\(status) is no failure")
            return
        }
        #expect(got == code)
        #expect(status == 204 || code == .empty || reason.contains("\(status)"))
    }

    @Test func redirectsNeedAPlace() throws {
        for status in [301, 302, 303, 307, 308] {
            #expect(try answer(head("HTTP/1.1 \(status) x", "Location: /y")) == .redirect)
        }
    }
}
