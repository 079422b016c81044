import Base
import Glibc
import Support
import Testing

@testable import Store

/// The catalogue's tables in a real database.
@Suite struct CatalogueFileTests {
    private let folder: Folder
    private let file: CatalogueFile
    private let reader: CatalogueReader

    init() throws {
        folder = try Folder()
        file = try CatalogueFile.open(folder: folder.path)
        reader = try CatalogueReader(folder: folder.path)
    }

    private func addSource(_ url: String = "http://p.test/feed.xml") throws -> CatalogueSource {
        var source = CatalogueSource(url: url)
        source.id = try file.sources.add(source)
        return source
    }

    private func episode(_ number: Int, _ change: (inout PublishedItem) -> Void = { _ in }) -> ItemToKeep {
        var item = PublishedItem(kind: .episode)
        item.guid = "g\(number)"
        item.title = "Episode \(number)"
        item.date = Double(number)
        item.contents = [.init(url: "http://p.test/\(number).mp3", mediaType: "audio/mpeg", size: 100)]
        change(&item)
        return ItemToKeep(item)
    }

    private func refresh(_ source: CatalogueSource, _ items: [ItemToKeep]) throws -> CatalogueRefresh.Outcome
    {
        var refresh = CatalogueRefresh(source, items, at: 7)
        while try !refresh.step(file) {}
        return refresh.outcome
    }

    private func listed(_ text: String? = nil) throws -> [String] {
        var query = ItemQuery()
        query.text = text.map { SearchText($0) }
        return try reader.list(query).items.compactMap(\.published.title)
    }

    // MARK: Sources

    @Test func aSourceIsKeptWhole() throws {
        var source = try addSource()
        source.kind = .podcast
        source.headers = ["Authorization", "Basic eDp5", "X-Empty", ""]
        (source.givenTitle, source.title, source.summary, source.author) = ("Mine", "Title", "Text", "Who")
        (source.picture, source.place, source.entityTag, source.lastModified) = ("p", "q", "\"e\"", "Mon")
        (source.contentHash, source.lastAttempt, source.lastSuccess, source.nextRefresh) = (-5, 1, 2, 3)
        (source.failures, source.failure) = (4, .init(code: "timeout", message: "Late."))
        try file.sources.update(source)
        #expect(try file.sources.all() == [source])
    }

    @Test func oneURLIsOneSource() throws {
        _ = try addSource()
        #expect(throws: StoreError.self) { try addSource() }
    }

    // MARK: Refreshing

    @Test func anItemIsReadAsItWasTold() throws {
        let source = try addSource()
        var told = PublishedItem(kind: .episode)
        (told.guid, told.title, told.creators, told.album, told.number) = ("g", "Ä", ["A, B", "C"], "S", 3)
        (told.date, told.duration, told.summary, told.picture) = (
            1.5, 60.25, "Lines\nof text", "http://p.test/p.jpg"
        )
        told.tags = ["News", "Tea & cake"]
        told.contents = [
            .init(url: "http://p.test/1.mp3", mediaType: "audio/mpeg", size: 9),
            .init(url: "http://p.test/1.ogg", mediaType: nil, size: nil),
        ]
        told.places = [.init(address: "Berlin"), .init(address: nil, latitude: 1.5, longitude: -2.25)]
        _ = try refresh(source, [ItemToKeep(told)])
        let item = try #require(try reader.item(1))
        #expect(item.locations.map(\.address) == ["Berlin", nil])
        #expect(item.locations.map(\.state) == [.unresolved, .resolved])
        #expect(item.locations[1].latitude == 1.5 && item.locations[1].longitude == -2.25)
        told.places = []
        #expect(item.published == told)
        #expect(item.added == 7 && item.source == source.id && item.user == UserMarks())
    }

    @Test func whatDidNotChangeIsNotWritten() throws {
        let source = try addSource()
        let items = (0..<1200).map { episode($0) }
        #expect(try refresh(source, items).added == 1200)
        let before = try file.database.integer("SELECT total_changes()")
        #expect(try refresh(source, items.reversed()) == .init())
        // The source's own row.
        #expect(try file.database.integer("SELECT total_changes()") == before + 1)
    }

    @Test func aRefreshKeepsWhatUsersDid() throws {
        let source = try addSource()
        _ = try refresh(source, [episode(1), episode(2)])
        #expect(try file.users.change(1) { ($0.isHeard, $0.position, $0.rating) = (true, 12.5, 4) })
        let outcome = try refresh(source, [episode(3), episode(1) { $0.title = "Renamed" }])
        #expect((outcome.added, outcome.changed, outcome.unlisted) == (1, 1, 1))
        let item = try #require(try reader.item(1))
        #expect(item.published.title == "Renamed" && item.user.isHeard && item.user.position == 12.5)
        #expect(item.user.rating == 4)
        #expect(try reader.item(2)?.listing == .unlisted)
        #expect(try listed() == ["Episode 2", "Episode 3", "Renamed"])
        #expect(try listed("episode 1").isEmpty && listed("renam") == ["Renamed"])
    }

    @Test func whatIsListedAgainIsTheSame() throws {
        let source = try addSource()
        _ = try refresh(source, [episode(1), episode(2)])
        _ = try refresh(source, [episode(2)])
        #expect(try refresh(source, [episode(1), episode(2)]) == .init(added: 0, changed: 1, unlisted: 0))
        #expect(try reader.item(1)?.listing == .listed)
    }

    @Test func idsNeverComeBack() throws {
        let source = try addSource()
        _ = try refresh(source, [episode(1), episode(2)])
        while try !file.removePart(of: source.id) {}
        #expect(try listed().isEmpty)
        #expect(try file.database.integer("SELECT count(*) FROM texts") == 0)
        let next = try addSource()
        #expect(next.id == source.id + 1)
        _ = try refresh(next, [episode(1)])
        #expect(try reader.item(3)?.published.title == "Episode 1" && reader.item(1) == nil)
    }

    @Test func placesWithOneAddressAreOne() throws {
        let source = try addSource()
        let berlin = PublishedItem.Place(address: "Berlin")
        let exact = PublishedItem.Place(address: "Berlin", latitude: 52.5, longitude: 13.4)
        _ = try refresh(
            source,
            [berlin, berlin, exact].enumerated().map { index, place in
                episode(index) { $0.places = [place] }
            })
        let locations = try (1...3).map { try #require(try reader.item(Int64($0))).locations[0] }
        #expect(locations[0].id == locations[1].id && locations[2].id != locations[0].id)
        var answer = locations[0]
        (answer.latitude, answer.longitude, answer.state) = (52.52, 13.405, .resolved)
        try file.locations.put(answer, at: 1)
        #expect(try reader.item(2)?.locations == [answer])
    }

    // MARK: Searching

    @Test func searchFindsWhatANaiveModelFinds() throws {
        let source = try addSource()
        var random = SeededGenerator(seed: 11)
        let words = [
            "straße", "Éclair", "amber", "umbrella", "Ångström", "x", "of", "tea", "\"quoted\"", "50%", "日本語",
            "a_b",
        ]
        func text(_ most: Int) -> String {
            (0..<random.below(most)).map { _ in words[random.below(words.count)] }.joined(separator: " ")
        }
        let items = (0..<300).map { number in
            episode(number) {
                ($0.title, $0.album, $0.summary, $0.creators) = (text(4), text(2), text(9), [text(2)])
            }
        }
        _ = try refresh(source, items)
        for _ in 0..<60 {
            let whole = words[random.below(words.count)]
            let start = random.below(whole.count)
            let part = String(whole.dropFirst(start).prefix(1 + random.below(5)))
            let search = SearchText(
                random.below(2) == 0 ? part : part + " " + words[random.below(words.count)])
            var query = ItemQuery()
            (query.text, query.order, query.limit) = (search, .added, 1000)
            let found = try reader.list(query).items.map(\.published.guid)
            let expected = items.filter { item in
                search.words.allSatisfy { item.folded.contains($0) }
            }.map(\.published.guid)
            #expect(found == expected, "\(search)")
        }
    }

    @Test(arguments: [
        ("a  B", ["a", "b"]), ("\"a  b\" c", ["a b", "c"]), ("\"open", ["open"]), ("\"\" x", ["x"]), ("", []),
    ])
    func aQueryIsWordsAndPhrases(text: String, words: [String]) {
        #expect(SearchText(text).words == words)
    }

    @Test func theOrderPutsWhatHasNoValueLast() throws {
        let source = try addSource()
        _ = try refresh(source, [episode(1) { $0.date = nil }, episode(2), episode(3)])
        var query = ItemQuery()
        query.order = .date
        #expect(try reader.list(query).items.map(\.id) == [2, 3, 1])
        query.isDescending = true
        #expect(try reader.list(query).items.map(\.id) == [3, 2, 1])
        for order in ItemQuery.Order.allCases {
            query.order = order
            #expect(try reader.list(query).total == 3)
        }
    }

    @Test func creatorsAndAlbumsAreOrderedAsPeopleLookThemUp() throws {
        let source = try addSource()
        let names = ["Zoë", "ábba", "Abba B", "beck", "Émile", "emile b", "ZZ", "Ørsted"]
        let items = names.enumerated().map { index, name in
            episode(index) { ($0.creators, $0.album) = ([name], name) }
        }
        _ = try refresh(source, items + [episode(99) { $0.creators = [] }])
        let expected = ["ábba", "Abba B", "beck", "Émile", "emile b", "Ørsted", "Zoë", "ZZ"]
        for order in [ItemQuery.Order.creator, .album] {
            var query = ItemQuery()
            query.order = order
            let found = try reader.list(query).items
            #expect(found.dropLast().map { $0.published.album ?? "" } == expected)
            #expect(found.last?.published.album == nil)
            query.isDescending = true
            #expect(
                try reader.list(query).items.dropLast().map { $0.published.album ?? "" }
                    == expected.reversed())
        }
    }

    @Test func theNewestAreCandidatesAndWhatIsHereAlready() throws {
        let source = try addSource()
        let station = episode(9) { $0.kind = .station }
        let file9 = episode(8) { $0.contents = [.init(url: "/srv/8.mp3")] }
        _ = try refresh(source, (1...5).map { episode($0) } + [station, file9, episode(6) { $0.date = nil }])
        let ids = Dictionary(
            uniqueKeysWithValues: try reader.list(ItemQuery()).items.map { ($0.published.guid ?? "", $0.id) })
        // Six has no date: it was seen at 7. Two and one are listed no more, and one is here.
        try file.items.set(ids["g2"] ?? 0, .unlisted)
        try file.items.set(ids["g1"] ?? 0, .unlisted)
        try file.downloads.put(CatalogueDownload(item: ids["g1"] ?? 0, url: "u", added: 1))
        try file.downloads.refuse(ids["g3"] ?? 0, true)
        _ = try file.users.change(ids["g4"] ?? 0) { $0.isHeard = true }
        let found = try reader.candidates(of: source.id, atMost: 10)
        #expect(found.map(\.id) == ["g6", "g5", "g4", "g3", "g1"].map { ids[$0] })
        #expect(
            found.map(\.time) == [7, 5, 4, 3, 1]
                && found.map(\.isHeard) == [false, false, true, false, false])
        #expect(found.map(\.isRefused) == [false, false, false, true, false] && found[1].size == 100)
        #expect(try reader.candidates(of: source.id, atMost: 2).map(\.id) == found.prefix(2).map(\.id))
        try file.downloads.refuse(ids["g3"] ?? 0, false)
        #expect(try reader.candidates(of: source.id, atMost: 10).allSatisfy { !$0.isRefused })
    }

    @Test func whatWasHeardOfServersMayBeInACache() throws {
        let source = try addSource()
        let local = episode(5) { $0.contents = [.init(url: "/srv/5.mp3")] }
        _ = try refresh(source, (1...4).map { episode($0) } + [local, episode(6) { $0.kind = .station }])
        for id in [Int64(1), 2, 5, 6] { _ = try file.users.change(id) { $0.lastHeard = 9 } }
        try file.downloads.put(CatalogueDownload(item: 2, url: "u", state: .finished, added: 1))
        try file.items.setAvailable(1, true)
        #expect(
            try file.items.heardElsewhere(besides: 3) == [
                RemoteItem(id: 1, url: "http://p.test/1.mp3", isAvailable: true),
                RemoteItem(id: 3, url: "http://p.test/3.mp3", isAvailable: false),
            ])
        #expect(try file.items.heardElsewhere(besides: nil).map(\.id) == [1])
    }

    @Test func aRefreshLeavesRulesAsTheyAre() throws {
        var source = try addSource()
        try file.sources.setRules(source.id, "{}")
        source.title = "New"
        try file.sources.update(source)
        #expect(try file.sources.all().map(\.rules) == ["{}"])
        try file.sources.setRules(source.id, nil)
        #expect(try file.sources.all().map(\.rules) == [nil])
    }

    // MARK: The file

    @Test func whatIsDamagedIsSetAside() throws {
        let other = try Folder()
        let path = other.path + "/" + CatalogueFile.name
        let garbage = unsafe open(path, O_CREAT | O_WRONLY, 0o600)
        _ = unsafe write(garbage, "no database, but longer than its header would be, surely", 56)
        close(garbage)
        let opened = try CatalogueFile.open(folder: other.path)
        #expect(try opened.sources.all().isEmpty)
    }

    @Test func whatALaterProgramWroteIsSetAside() throws {
        let other = try Folder()
        try CatalogueFile.open(folder: other.path).database.execute("PRAGMA user_version = 999")
        #expect(try CatalogueFile.open(folder: other.path).sources.all().isEmpty)
    }
}
