import Base
import Testing

@Suite struct PropertyTableTests {
    @Test func aSetOfChangesHasOneRevision() {
        let table = PropertyTable()
        table.set("player.state", "playing")
        table.set("player.volume", 40)
        #expect(table.revision == 0)
        #expect(table.takeChanges().map(\.key) == ["player.state", "player.volume"])
        #expect(table.revision == 1)
    }

    @Test func theEndOfATurnIsHeardOfOnlyAfterAWrite() {
        let table = PropertyTable()
        var ends = 0
        table.atEndOfWritingTurn { ends += 1 }
        table.endTurn()
        #expect(ends == 0)
        table.set("player.state", "playing")
        table.endTurn()
        table.endTurn()
        #expect(ends == 1)
        table.set("player.state", "playing")
        table.endTurn()
        #expect(ends == 1)
        // A value that came back within the turn was seen by nobody who looks at its end, but may have been between.
        table.set("player.state", "paused")
        table.set("player.state", "playing")
        table.endTurn()
        #expect(ends == 2)
    }

    @Test func aValueThatIsTheSameIsNoChange() {
        let table = PropertyTable()
        table.set("player.volume", 40)
        _ = table.takeChanges()
        table.set("player.volume", 40)
        #expect(!table.hasChanges)
        #expect(table.takeChanges().isEmpty)
        #expect(table.revision == 1)
    }

    @Test func aValueThatComesBackWithinASetIsNotTold() {
        let table = PropertyTable()
        table.set("player.volume", 40)
        _ = table.takeChanges()
        table.set("player.volume", 50)
        table.set("player.volume", 40)
        #expect(table.takeChanges().isEmpty)
        #expect(table.revision == 1)
    }

    @Test func changesCarryTheOldestOldAndTheNewestNew() {
        let table = PropertyTable()
        table.set("player.volume", 1)
        _ = table.takeChanges()
        for volume in 2...5 { table.set("player.volume", volume) }
        let change = table.takeChanges().first
        #expect(change?.old == JSONText(1))
        #expect(change?.new == JSONText(5))
    }

    @Test func aRemovedKeyIsToldOnceAndGone() {
        let table = PropertyTable()
        table.set("outputs.room.open", true)
        _ = table.takeChanges()
        table.remove("outputs.room.open")
        table.remove("outputs.room.open")
        let changes = table.takeChanges()
        #expect(changes.count == 1)
        #expect(changes.first?.new == nil)
        #expect(table.keys.isEmpty)
    }

    @Test func typedPropertiesWriteThrough() {
        let table = PropertyTable()
        let volume = Property("player.volume", 100, in: table)
        _ = table.takeChanges()
        volume.value = 100
        #expect(!table.hasChanges)
        volume.value = 30
        #expect(table.text(of: "player.volume")?.string == "30")
    }
}
