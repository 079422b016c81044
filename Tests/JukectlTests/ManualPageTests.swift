import Foundation
import Testing

@testable import jukectl

@Suite struct ManualPageTests {
    private static let page: String = {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let path = root.deletingLastPathComponent().appending(path: "docs/man/jukectl.1")
        let text = (try? String(contentsOf: path, encoding: .utf8)) ?? ""
        return text.replacing("\\-", with: "-").replacing("\\fB", with: "").replacing("\\fR", with: "")
    }()

    @Test func everyCommandAndOptionIsInTheManual() {
        for command in CommandTable.all {
            let words = Self.page.split { !$0.isLetter }
            #expect(words.contains { $0 == command.name }, "\(command.name)")
            for option in command.options + CommandOption.everywhere {
                #expect(Self.page.contains(option.name), "\(command.name) \(option.name)")
            }
        }
    }
}
