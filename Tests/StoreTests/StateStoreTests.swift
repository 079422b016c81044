import Base
import Foundation
import Store
import Testing

/// The database on its own thread.
@Suite struct StateStoreTests {
    /// What a store told, and a place to wait for it; the deadline only ends a hung test.
    private final class Told: Sendable {
        private let events = Guarded<[StateStore.Event]>([])
        private let wake = WakePoint()

        func take(_ event: StateStore.Event) {
            events.withLock { $0.append(event) }
            wake.signal()
        }

        func wait(for number: Int64) -> Bool {
            let end = MonotonicTime.now + .seconds(30)
            while MonotonicTime.now < end {
                for case .saved(let saved) in events.withLock({ $0 }) where saved >= number { return true }
                wake.wait(until: end)
            }
            return false
        }

        func waitForFailure() -> Bool {
            let end = MonotonicTime.now + .seconds(30)
            while MonotonicTime.now < end {
                for case .failed in events.withLock({ $0 }) { return true }
                wake.wait(until: end)
            }
            return false
        }
    }

    @Test func changesComeInTheirOrderAndAreTold() throws {
        let folder = try Folder()
        let told = Told()
        let store = StateStore(folder: folder.path) { told.take($0) }
        _ = try store.open { (_) throws(StoreError) in 0 }
        for number in 1...200 as ClosedRange<Int64> {
            store.write(number) { (file) throws(StoreError) in try file.settings.set("last", .integer(number))
            }
        }
        #expect(told.wait(for: 200))
        store.close(within: .seconds(20))
        let again = StateStore(folder: folder.path) { _ in }
        #expect(try again.open { (file) throws(StoreError) in file.settings.integer("last") } == 200)
        again.close(within: .seconds(20))
    }

    @Test func afterAFailureOnlyEverythingAnewIsTaken() throws {
        let folder = try Folder()
        let told = Told()
        let store = StateStore(folder: folder.path) { told.take($0) }
        _ = try store.open { (_) throws(StoreError) in 0 }
        store.write(1) { (file) throws(StoreError) in try file.settings.set("a", .integer(1)) }
        store.write(2) { (file) throws(StoreError) in try file.database.execute("nonsense") }
        #expect(told.waitForFailure())
        store.write(3) { (file) throws(StoreError) in try file.settings.set("b", .integer(3)) }
        store.rewrite(4) { (file) throws(StoreError) in try file.settings.set("c", .integer(4)) }
        #expect(told.wait(for: 4))
        store.close(within: .seconds(20))
        let again = StateStore(folder: folder.path) { _ in }
        let values = try again.open { (file) throws(StoreError) in file.settings.values }
        #expect(values["c"] == .integer(4) && values["b"] == nil)
        again.close(within: .seconds(20))
    }

    @Test func aFolderThatCannotBeMadeIsAnErrorAndTheStoreGoesOn() throws {
        let folder = try Folder()
        try Data().write(to: URL(fileURLWithPath: folder.path + "/file"))
        let told = Told()
        let store = StateStore(folder: folder.path + "/file/state") { told.take($0) }
        #expect(throws: StoreError.self) { _ = try store.open { (_) throws(StoreError) in 0 } }
        store.write(1) { (file) throws(StoreError) in try file.settings.set("a", .integer(1)) }
        #expect(told.waitForFailure())
    }
}
