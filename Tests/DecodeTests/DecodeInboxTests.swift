import Testing

@testable import Decode

@Suite struct DecodeInboxTests {
    @Test func onlyTheFirstItemStartsTheThread() {
        let inbox = DecodeInbox()
        #expect(!inbox.post(.stop))
        #expect(inbox.takeAll().count == 1)
        #expect(inbox.takeAll().isEmpty)
    }
}
