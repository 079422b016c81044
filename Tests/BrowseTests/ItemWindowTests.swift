import Base
import Terminal
import Testing

@testable import jukebox_browse

@Suite struct ItemWindowTests {
    @Test func aLongListCostsOnlyWhatIsSeen() {
        let store = PaperStore(100_000)
        var model = BrowseModel.ready(store)
        _ = model.press(.end)
        let asked = model.settle(store)
        #expect(model.window.total == 100_000 && model.window.selected == 99_999)
        #expect(model.window.selectedItem?.title == "Item 100000")
        let pages = asked.compactMap { request -> Int? in
            if case .page(_, _, let offset, _) = request { offset } else { nil }
        }
        #expect(pages.count <= 3 && pages.allSatisfy { $0 >= 99_800 })
        #expect(model.window[0] == nil)
    }

    @Test func movingStaysWithinTheListAndTheScreen() {
        let store = PaperStore(250)
        var model = BrowseModel.ready(store, rows: 10)
        var numbers = SystemRandomNumberGenerator()
        let keys: [Key] = [.up, .down, .pageUp, .pageDown, .home, .end]
        for _ in 0..<500 {
            _ = model.press(keys.randomElement(using: &numbers) ?? .up)
            model.settle(store)
            let window = model.window
            #expect((0..<250).contains(window.selected) && (0...240).contains(window.top))
            #expect((window.top..<window.top + 10).contains(window.selected))
            #expect(window.selectedItem?.title == "Item \(window.selected + 1)")
        }
    }

    @Test func whatIsSelectedStaysSoWhenTheListChanges() {
        var store = PaperStore(90)
        var model = BrowseModel.ready(store)
        for _ in 0..<50 { _ = model.press(.down) }
        model.settle(store)
        let row = model.window.selected - model.window.top
        store.order.insert(1000, at: 0)
        store.titles[1000] = "New"
        model.change([("store.revision", .integer(1))])
        model.change([("store.revision", .integer(2))])
        model.settle(store)
        #expect(model.window.selectedItem?.id == 51 && model.window.selected == 51)
        #expect(model.window.selected - model.window.top == row && model.window.total == 91)
    }

    @Test func anotherListBeginsAtItsStartThoughItChangesOnItsWay() {
        let store = PaperStore(90)
        var model = BrowseModel.ready(store)
        _ = model.press(.end)
        model.settle(store)
        _ = model.press(.character("s"))
        model.change([("store.revision", .integer(1))])
        model.settle(store)
        #expect(model.window.selected == 0)
    }

    @Test func aListThatBecameShorterHasAnEnd() {
        var store = PaperStore(500)
        var model = BrowseModel.ready(store)
        _ = model.press(.end)
        model.settle(store)
        store.order = [3]
        model.change([("store.revision", .integer(1))])
        model.change([("store.revision", .integer(2))])
        #expect(model.settle(store).count < 10)
        #expect(model.window.total == 1 && model.window.selectedItem?.id == 3)
        store.order = []
        model.change([("store.revision", .integer(3))])
        model.settle(store)
        #expect(model.window.total == 0 && model.item == nil)
    }

    @Test func anAnswerThatComesTooLateIsDropped() {
        var window = ItemWindow()
        let first = window.takeRequest()
        window.restart()
        let items = StoreItem.list(
            PaperStore(5).answer(.page(ListQuery(), generation: 0, offset: 0, limit: 9)))
        window.take(items, total: 5, offset: 0, generation: first?.generation ?? -1)
        #expect(window.total == nil && window.isLoading == false)
        let second = window.takeRequest()
        window.take(items, total: 5, offset: 0, generation: second?.generation ?? -1)
        #expect(window.total == 5)
    }

    @Test func nothingIsAskedTwiceAtATime() {
        var window = ItemWindow()
        #expect(window.takeRequest() != nil)
        #expect(window.takeRequest() == nil)
        window.forgetRequests()
        #expect(window.takeRequest() != nil)
    }
}
