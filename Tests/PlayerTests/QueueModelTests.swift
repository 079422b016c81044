import Base
import Player
import Support
import Testing

/// The queue against a naive model, with random commands.
@Suite struct QueueModelTests {
    /// What a queue is, in the plainest terms.
    struct Model {
        var entries: [(id: Int64, url: String)] = []
        var current: Int64?
        var nextID: Int64 = 1
        var limit = 40

        var index: Int? { entries.firstIndex { $0.id == current } }

        mutating func insert(_ urls: [String], at: Int?) -> [Int64]? {
            guard (at ?? 0) >= 0, entries.count + urls.count <= limit else { return nil }
            let new = urls.enumerated().map { (nextID + Int64($0.offset), $0.element) }
            nextID += Int64(urls.count)
            let position = min(at ?? entries.count, entries.count)
            entries = Array(entries[..<position]) + new + Array(entries[position...])
            current = current ?? new.first?.0
            return new.map(\.0)
        }

        mutating func remove(_ ids: [Int64]) -> Queue.Removal? {
            guard ids.allSatisfy({ id in entries.contains { $0.id == id } }) else { return nil }
            let successor = entries[(index ?? 0)...].first { !ids.contains($0.id) }?.id
            let isCurrentGone = current.map { ids.contains($0) } ?? false
            entries.removeAll { ids.contains($0.id) }
            guard isCurrentGone else { return .currentStays }
            current = successor ?? entries.first?.id
            return successor == nil ? .pastEnd : .successor
        }

        mutating func move(_ ids: [Int64], to: Int) -> Bool {
            guard ids.allSatisfy({ id in entries.contains { $0.id == id } }), Set(ids).count == ids.count
            else { return false }
            let moved = ids.compactMap { id in entries.first { $0.id == id } }
            let rest = entries.filter { !ids.contains($0.id) }
            let position = min(max(to, 0), rest.count)
            entries = Array(rest[..<position]) + moved + Array(rest[position...])
            return true
        }
    }

    @Test(arguments: [1, 2, 3, 4, 5] as [UInt64])
    func theQueueDoesWhatTheModelDoes(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var queue = Queue(limit: 40)
        var model = Model()
        for step in 0..<1_000 {
            let revision = queue.revision
            let before = queue.ids
            let succeeded = apply(&random, &queue, &model)
            #expect(queue.ids == model.entries.map(\.id), "step \(step)")
            #expect(queue.index == model.index, "step \(step)")
            #expect(queue.current?.url == model.entries.first { $0.id == model.current }?.url)
            #expect(queue.nextID == model.nextID)
            #expect(queue.ids.enumerated().allSatisfy { queue.index(of: $0.element) == $0.offset })
            if !succeeded { #expect(queue.revision == revision && queue.ids == before) }
            if queue.ids != before { #expect(queue.revision > revision) }
        }
    }

    /// Does one random thing to both; false when both refused it.
    private func apply(_ random: inout SeededGenerator, _ queue: inout Queue, _ model: inout Model) -> Bool {
        switch random.below(6) {
        case 0, 1:
            let urls = (0..<random.below(6)).map { "/\($0)-\(random.below(100)).mp3" }
            let at = random.below(3) == 0 ? nil : random.below(50) - 2
            let ids = try? queue.insert(urls.map { NewEntry(url: $0) }, at: at)
            #expect(ids == model.insert(urls, at: at))
            return ids != nil
        case 2:
            let ids = someIDs(&random, queue)
            let removal = try? queue.remove(ids)
            #expect(removal == model.remove(ids))
            return removal != nil
        case 3:
            let ids = someIDs(&random, queue)
            let to = random.below(50) - 5
            let moved = (try? queue.move(ids, to: to)) != nil
            #expect(moved == model.move(ids, to: to))
            return moved
        case 4:
            let index = random.below(50)
            queue.select(index)
            if index < model.entries.count { model.current = model.entries[index].id }
            return true
        default:
            if random.below(20) == 0 {
                queue.clear()
                (model.entries, model.current) = ([], nil)
            }
            return true
        }
    }

    private func someIDs(_ random: inout SeededGenerator, _ queue: Queue) -> [Int64] {
        (0..<random.below(5)).map { _ in
            random.below(30) == 0 ? 9_999_999 : queue.ids.randomElement(using: &random) ?? 1
        }
    }
}
