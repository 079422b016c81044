import Base
import Terminal
import Testing

@testable import jukebox_browse

@Suite struct BrowseModelTests {
    private let store = PaperStore(120)

    @Test func theFilterNarrowsWithEachCharacter() {
        var model = BrowseModel.ready(store)
        model.type("/11")
        #expect(model.query.text == "11" && model.mode == .filter)
        model.settle(store)
        #expect(model.window.total == 11 && model.window.selected == 0)
        model.type("9")
        model.settle(store)
        #expect(model.item?.id == 119)
        _ = model.press(.backspace)
        _ = model.press(.enter)
        model.settle(store)
        #expect(model.window.total == 11 && model.mode == .list)
        _ = model.press(.escape)
        model.settle(store)
        #expect(model.query.text.isEmpty && model.window.total == 120)
    }

    @Test func lettersAreTypedOnlyIntoTheFilter() {
        var model = BrowseModel.ready(store)
        model.type("/q?")
        #expect(model.query.text == "q?")
        _ = model.press(.clearLine)
        #expect(model.query.text.isEmpty && model.mode == .filter)
        _ = model.press(.escape)
        #expect(model.press(.character("q")) == .quit)
    }

    @Test(
        arguments: [
            (Key.enter, "open", #"{"url":"store:1"}"#),
            (.character("a"), "queue.add", #"{"items":["store:1"]}"#),
            (.character("n"), "queue.insertNext", #"{"items":["store:1"]}"#),
            (.character("d"), "store.download", #"{"ids":[1]}"#),
            (.character("D"), "store.deleteDownload", #"{"ids":[1]}"#),
            (.character("m"), "store.mark", #"{"heard":true,"id":1}"#), (.character(" "), "toggle", "{}"),
            (.character(">"), "next", "{}"), (.character("."), "seek", #"{"by":30}"#),
            (.character("+"), "adjust", #"{"by":5,"key":"player.volume"}"#),
            (.character("r"), "store.refresh", "null"),
        ] as [(Key, String, String)])
    func keysAskTheDaemon(key: Key, method: String, parameters: String) {
        var model = BrowseModel.ready(store)
        guard case .ask(let request)? = model.press(key) else {
            Issue.record("nothing was asked")
            return
        }
        #expect(request.call.method == method)
        #expect(JSONText(request.call.parameters).string == parameters)
    }

    @Test func aDownloadUnderWayIsCancelled() {
        var model = BrowseModel.ready(store)
        model.change([("downloads.1.state", .string("running"))])
        guard case .ask(let request)? = model.press(.character("D")) else {
            Issue.record("nothing was asked")
            return
        }
        #expect(request.call.method == "store.cancelDownload")
    }

    @Test func whatIsListedIsChosenByKeys() {
        var model = BrowseModel.ready(store)
        model.type("tuvsSf")
        #expect(
            model.query
                == ListQuery(kind: "track", source: 1, isUnheard: true, isAvailable: true, order: "date"))
        #expect(
            JSONText(model.query.parameters(offset: 0, limit: 9)).string
                == #"{"available":true,"kind":"track","limit":9,"offset":0,"sort":"date","source":1,"unheard":true}"#
        )
        #expect(model.query.words { "source \($0)" } == "tracks, of source 1, not heard, here, by date")
        for _ in 1..<ListQuery.kinds.count { model.type("t") }
        #expect(model.query.kind == nil)
    }

    @Test func aPlaceAndAPictureAreOpenedWhereThereAreAny() {
        var model = BrowseModel.ready(store)
        #expect(model.press(.character("w")) == nil && model.message == "it is not known where that is")
        let place = JSONValue.object(["geo": .string("geo:52.5,13.4"), "state": .string("resolved")])
        model.take(
            store.item(1, more: ["locations": .array([place])]), of: .detail(1))
        #expect(model.press(.character("w")) == .open("geo:52.5,13.4"))
        #expect(model.press(.character("o")) == .ask(.picture(1, isFull: true)))
    }

    @Test func theDetailFollowsTheSelection() {
        var model = BrowseModel.ready(store)
        #expect(model.item?.summary == ["Told at length."])
        _ = model.press(.down)
        #expect(model.item?.id == 2 && model.item?.summary == [])
        model.settle(store)
        #expect(model.item?.summary == ["Told at length."])
    }

    @Test func aDaemonThatGoesIsSaidAndOneThatComesIsAskedAnew() {
        var model = BrowseModel.ready(store)
        for _ in 0..<5 { _ = model.press(.down) }
        model.settle(store)
        model.disconnected("the daemon went")
        #expect(model.takeRequests().isEmpty && model.away == "the daemon went")
        model.connected()
        #expect(model.settle(store).contains { if case .page = $0 { true } else { false } })
        #expect(model.item?.id == 6 && model.away == nil)
    }

    @Test func whatIsRefusedIsSaid() {
        var model = BrowseModel.ready(store)
        model.fail("no such method", .action("store.download", .null, done: nil))
        #expect(model.message == "no such method")
        _ = model.press(.down)
        #expect(model.message == nil)
    }

    @Test func aListThatIsRefusedIsEmptyAndNotAskedForAgain() {
        var model = BrowseModel()
        model.connected()
        for request in model.takeRequests() { model.fail("There is no method store.list.", request) }
        #expect(model.takeRequests().isEmpty && model.window.total == 0)
    }

    @Test func aPictureIsWantedOnceForEachSize() {
        var model = BrowseModel(showsPictures: true)
        model.connected()
        model.settle(store)
        let size = PictureView.Size(columns: 30, rows: 10)
        let wanted = model.wantedPicture(size)
        #expect(wanted == PictureView(item: 1, size: size))
        if let wanted { model.setPicture(wanted) }
        #expect(model.wantedPicture(size) == nil)
        #expect(model.wantedPicture(PictureView.Size(columns: 20, rows: 10)) != nil)
        // One that comes later is looked for again.
        model.change([("artwork.1", .string("ready"))])
        #expect(model.wantedPicture(size) == wanted)
    }

    @Test func whatChafaPrintsHasNoEscapesLeft() {
        #expect(Picturing.lines(Array("a\u{1B}[0m b\n ▐█\nz".utf8), atMost: 2) == ["a[0m b", " ▐█"])
    }
}
