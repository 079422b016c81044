import Testing

@testable import Playlist

@Suite struct WebDAVTests {
    private func response(_ href: String, type: String? = nil, isFolder: Bool = false) -> String {
        let kind = isFolder ? "<D:collection/>" : ""
        let told = type.map { "<D:getcontenttype>\($0)</D:getcontenttype>" } ?? ""
        return "<D:response><D:href>\(href)</D:href><D:propstat><D:prop><D:displayname>x</D:displayname>"
            + "<D:resourcetype>\(kind)</D:resourcetype>\(told)</D:prop>"
            + "<D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response>"
    }

    private func read(_ responses: [String], folder: String = "https://nas.test:8443/music/") throws
        -> [String]
    {
        let text =
            "<?xml version=\"1.0\" encoding=\"utf-8\"?><D:multistatus xmlns:D=\"DAV:\">"
            + responses.joined() + "</D:multistatus>"
        let list = try Playlist.read(
            Array(text.utf8), from: PlaylistOrigin(.network(url: folder)), name: "It", exists: { _ in false })
        #expect(list?.format == .webdav)
        return list?.members.map(\.url) ?? []
    }

    @Test func aFoldersAudioFilesAreItsMembersAsPeopleSortThem() throws {
        let urls = try read([
            response("/music/", isFolder: true), response("/music/10%20Ten%20&amp;%20more.mp3"),
            response("/music/Side%20B/", isFolder: true), response("/music/2%20Zwei%20%C3%BC.MP3"),
            response("/music/cover.jpg", type: "image/jpeg"), response("/music/01%20One.flac"),
            response("/music/list.m3u"), response("/music/other", type: "audio/mpeg; x=1"),
            response("/music/a%2520b.mp3"), response("/music/hash%231.mp3"),
        ])
        #expect(
            urls.map { String($0.dropFirst("https://nas.test:8443/music/".count)) } == [
                "01%20One.flac", "2%20Zwei%20%C3%BC.MP3", "10%20Ten%20&%20more.mp3", "a%2520b.mp3",
                "hash%231.mp3", "other", "Side%20B/",
            ])
    }

    @Test(arguments: [
        ("a.mp3", "https://nas.test:8443/music/a.mp3"), ("/x/a.mp3", "https://nas.test:8443/x/a.mp3"),
        ("https://nas.test:8443/music/a.mp3", "https://nas.test:8443/music/a.mp3"),
        ("http://NAS.test/music/a.mp3", "https://nas.test:8443/music/a.mp3"),
        ("https://evil.test/a.mp3", nil), ("//evil.test/a.mp3", nil), ("file:///etc/a.mp3", nil),
        ("ftp:a.mp3", nil), ("https://nas.test@evil.test/a.mp3", nil), ("", nil), ("/music/", nil),
        ("/music/&#252;.mp3", "https://nas.test:8443/music/%C3%BC.mp3"),
    ])
    func membersLieOnTheFoldersServer(href: String, url: String?) throws {
        let good = "https://nas.test:8443/music/zz.mp3"
        #expect(try Set(read([response(href), response("zz.mp3")])) == Set([url, good].compactMap(\.self)))
    }

    @Test func otherNamespacesPrefixesAndServersWork() throws {
        let text = """
            <multistatus xmlns="DAV:" xmlns:o="http://owncloud.org/ns"><response><href>/dav/one.mp3</href><propstat><prop>
            <o:href>/dav/fake.mp3</o:href><getlastmodified>x</getlastmodified></prop></propstat></response>
            <response><href> /dav/two.ogg
            </href><propstat><prop><resourcetype/></prop></propstat></response></multistatus>
            """
        let list = try Playlist.read(
            Array(text.utf8), from: PlaylistOrigin(.network(url: "http://h/dav/")), name: "It",
            exists: { _ in false })
        #expect(list?.members.map(\.url) == ["http://h/dav/one.mp3", "http://h/dav/two.ogg"])
    }

    @Test(arguments: [
        ("/music/b/", "/music/b/"), ("/music/b", "/music/b/"), ("b/", "/music/b/"),
        ("https://nas.test:8443/music/b/", "/music/b/"), ("/music/", nil), ("/music", nil), ("/", nil),
        ("/other/", nil), ("/music/../up/", nil), ("/musical/", nil), ("https://evil.test/music/b/", nil),
        ("/music/%2e%2e%2f/", "/music/%2e%2e%2f/"),
    ])
    func foldersLieBelowTheOneThatIsRead(href: String, path: String?) throws {
        let text =
            "<D:multistatus xmlns:D=\"DAV:\">" + response(href, isFolder: true) + response("a.mp3")
            + "</D:multistatus>"
        let members = WebDAV.members(
            Array(text.utf8), in: "https://nas.test:8443/music/", limit: 10)
        let folders = members.filter(\.isFolder).flatMap(\.locations)
        #expect(folders == [path].compactMap(\.self).map { "https://nas.test:8443" + $0 })
        #expect(members.filter { !$0.isFolder }.count == 1)
    }

    @Test func aFolderWithoutMusicIsEmpty() {
        let failure = #expect(throws: (any Error).self) { try read([response("/music/", isFolder: true)]) }
        #expect("\(failure as Any)".contains("empty"))
    }

    @Test func aHostileAnswerCostsNothing() throws {
        let deep = String(repeating: "<a>", count: 100_000)
        let bomb = "<!DOCTYPE x [<!ENTITY a \"aaaa\">]><multistatus xmlns=\"DAV:\">&a;</multistatus>"
        for text in [deep, bomb, "<multistatus xmlns=\"DAV:\"><response><href>/a.mp3"] {
            #expect(WebDAV.members(Array(text.utf8), in: "http://h/", limit: 10).isEmpty)
        }
        let many = (0..<50).map { response("/\($0).mp3") }.joined()
        let text = "<D:multistatus xmlns:D=\"DAV:\">\(many)</D:multistatus>"
        #expect(WebDAV.members(Array(text.utf8), in: "http://h/", limit: 10).count == 10)
    }

    @Test func namesAreSortedByTheirNumbers() {
        let sorted = [
            "1", "01 a", "1 b", "2", "10", "10 a 2", "10 a 10", "99999999999999999999999", "A", "b", "B 2",
        ]
        #expect(sorted.shuffled().sorted { SortingKey($0) < SortingKey($1) } == sorted)
    }
}
