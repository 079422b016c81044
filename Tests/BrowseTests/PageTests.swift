import Base
import Terminal
import Testing

@testable import jukebox_browse

@Suite struct PageTests {
    private let store: PaperStore = {
        var store = PaperStore(60)
        store.titles[2] = "日本語の題名 " + String(repeating: "長い", count: 40)
        store.titles[3] = "evil \u{1B}[2J title"
        return store
    }()

    private func page(_ model: BrowseModel, _ columns: Int = 80, _ rows: Int = 24) -> Page {
        var model = model
        let layout = Layout(columns: columns, rows: rows)
        model.window.setHeight(layout.bodyRows)
        model.settle(store)
        return PageWriter(model: model, layout: layout).page()
    }

    private func text(_ page: Page) -> String {
        page.rows.map { $0.map(\.text).joined(separator: "|") }.joined(separator: "\n")
    }

    @Test func listAndDetailStandBesideEachOther() {
        let page = page(BrowseModel.ready(store))
        #expect(page.rows.count == 24)
        #expect(
            page.rows[0][0].text.hasPrefix(" all, by title") && page.rows[0][0].text.hasSuffix("1 of 60 "))
        #expect(page.rows[1][0].text.hasPrefix(">•  Item 1 ") && page.rows[1][0].text.hasSuffix(" 1:23"))
        #expect(page.rows[1][0].style == .selected && page.rows[1][1].text == "Item 1")
        #expect(text(page).contains("Told at length.") && text(page).contains("source   A shelf"))
        #expect(page.divider == .init(column: 44, row: 1, rows: 21))
    }

    @Test(arguments: [
        (80, 24), (200, 60), (60, 20), (40, 12), (20, 6), (10, 4), (5, 3), (2, 2), (1, 1), (80, 3), (0, 0),
    ])
    func nothingIsWiderThanTheScreen(columns: Int, rows: Int) {
        for mode in [BrowseModel.Mode.list, .detail, .filter, .help] {
            var model = BrowseModel.ready(store)
            model.mode = mode
            model.query.text = "a filter that was typed for quite some time 日本語"
            model.values["player.state"] = .string("playing")
            model.values["item.title"] = .string(String(repeating: "title ", count: 30))
            let page = page(model, columns, rows)
            #expect(page.rows.count == rows)
            for span in page.rows.joined() where columns >= 5 {
                #expect(span.column + TextWidth.of(span.text) <= columns, "\(mode) \(span)")
            }
        }
    }

    @Test func whatOthersWroteCannotSteerTheTerminal() {
        var model = BrowseModel.ready(store)
        model.change([
            ("player.state", .string("playing")), ("item.title", .string("t\u{1B}[31m")),
            ("player.error", .object(["message": .string("e\u{7}\u{9B}2J")])),
        ])
        for character in text(page(model)).unicodeScalars {
            #expect(
                character == "\n" || (character.value >= 0x20 && !(0x7F..<0xA0).contains(character.value)))
        }
    }

    @Test func aNarrowScreenShowsListOrDetail() {
        var model = BrowseModel.ready(store)
        #expect(page(model, 50).divider == nil && !text(page(model, 50)).contains("at length"))
        _ = model.press(.right)
        #expect(text(page(model, 50)).contains("at length") && !text(page(model, 50)).contains("Item 4"))
    }

    @Test func aDownloadIsSeenAsItGoesOn() {
        var model = BrowseModel.ready(store)
        model.change([
            ("downloads.1.state", .string("running")), ("downloads.1.fraction", .real(0.42)),
            ("downloads.1.received", .integer(1024)),
        ])
        let page = page(model)
        #expect(page.rows[1][0].text.hasSuffix(" 42%") && text(page).contains("42% 1.0 KiB"))
    }

    @Test func thePlayerIsTold() {
        var model = BrowseModel.ready(store)
        model.change([
            ("player.state", .string("paused")), ("item.title", .string("Song")),
            ("item.duration", .real(245)),
            ("player.position", .object(["seconds": .real(83), "rate": .integer(0)])),
            ("player.volume", .integer(70)),
        ])
        #expect(text(page(model)).contains("paused  Song  1:23 / 4:05  vol 70"))
    }

    @Test func withoutUnicodeMarksAreLetters() {
        let writer = PageWriter(
            model: BrowseModel.ready(store), layout: Layout(columns: 80, rows: 24), hasUnicode: false)
        #expect(writer.page().rows[1][0].text.hasPrefix(">*  Item 1"))
    }

    @Test func theHelpFitsTheSmallestUsualScreen() {
        #expect(HelpText.lines.count <= 21)
        #expect(HelpText.lines.allSatisfy { TextWidth.of($0) <= 80 })
    }

    @Test func anEmptyStoreSaysSo() {
        var model = BrowseModel.ready(PaperStore(0))
        #expect(
            text(PageWriter(model: model, layout: Layout(columns: 80, rows: 24)).page()).contains(
                "store is empty"))
        model.disconnected("the daemon went")
        #expect(
            text(PageWriter(model: model, layout: Layout(columns: 80, rows: 24)).page()).contains(
                "the daemon went"))
    }
}
