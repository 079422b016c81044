import Testing

@testable import Playlist
@testable import jukeboxd

@Suite struct FolderWalkTests {
    private func file(_ url: String) -> Playlist.Member { Playlist.Member(url: url) }

    private func folder(_ url: String) -> Playlist.Member {
        var member = Playlist.Member(url: url)
        member.isFolder = true
        return member
    }

    @Test func whatAFolderHoldsTakesItsPlace() {
        var walk = FolderWalk("h/", [file("h/1"), folder("h/2/"), file("h/3"), folder("h/4/")])
        #expect(walk.next() == "h/2/")
        walk.put([file("h/2/a"), folder("h/2/b/"), file("h/2/c")])
        #expect(walk.next() == "h/2/b/")
        walk.put([])
        #expect(walk.next() == "h/4/")
        walk.leaveOut("is gone")
        #expect(walk.next() == nil)
        #expect(walk.members.map(\.url) == ["h/1", "h/2/a", "h/2/c", "h/3"])
        #expect(walk.leftOut.map(\.reason) == ["is gone"])
    }

    @Test func noFolderIsReadTwice() {
        var walk = FolderWalk("h/", [folder("h/a/"), folder("h/a/"), folder("h/")])
        #expect(walk.next() == "h/a/")
        walk.put([folder("h/a/")])
        #expect(walk.next() == nil)
        #expect(walk.members.isEmpty && walk.leftOut.count == 3)
    }

    @Test func aLoopOfLinksEnds() {
        var walk = FolderWalk("h/", [folder("h/a/")])
        var count = 0
        while let url = walk.next() {
            count += 1
            walk.put([file(url + "x"), folder(url + "a/")])
        }
        #expect(count == FolderWalk.deepest && walk.members.count == count)
    }

    @Test func noMoreFoldersAreReadThanAnybodyHas() {
        var walk = FolderWalk("h/", (0..<1500).map { folder("h/\($0)/") })
        var count = 0
        while walk.next() != nil {
            count += 1
            walk.put([])
        }
        #expect(count == FolderWalk.mostFolders && walk.leftOut.count == 500)
    }
}
