import Base
import Foundation
import Output
import Support
import Testing

@Suite struct WakeUpTests {
    /// How often the thread of that name went to sleep so far; nil when there is none.
    private func sleeps(ofThread name: String) -> Int? {
        let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
        for task in tasks {
            let folder = "/proc/self/task/\(task)"
            guard let comm = try? String(contentsOfFile: folder + "/comm", encoding: .utf8),
                comm.dropLast() == name,
                let status = try? String(contentsOfFile: folder + "/status", encoding: .utf8)
            else { continue }
            for line in status.split(separator: "\n") where line.hasPrefix("voluntary_ctxt_switches") {
                return line.split(separator: "\t").last.flatMap { Int($0) }
            }
        }
        return nil
    }

    /// A card's period is 50 ms, the null output's 100.
    @Test(arguments: [("null", 16), ("alsa", 32)])
    func aSecondOfSoundTakesFewWakeUpsAndAPauseNone(kind: String, limit: Int) throws {
        let card = try FakeCard("FORMAT=S32_LE")
        let name = "wakes-\(kind)"
        let thread = "jb-out-\(name)".prefix(15)
        let spec =
            kind == "null" ? OutputSpec(name: name, kind: .null(timed: true)) : card.spec(name: name)
        let session = try Session([spec])
        let feeder = try Feeder(AudioFormat(sampleRate: 44_100, channels: 2), total: 400_000)
        try session.play(feeder)
        #expect(comesTrue { (session.bank.heardFrame() ?? 0) > 4_410 })
        let before = try #require(sleeps(ofThread: String(thread)))
        #expect(comesTrue { (session.bank.heardFrame() ?? 0) > 4_410 + 44_100 })
        let playing = try #require(sleeps(ofThread: String(thread))) - before
        #expect(playing <= limit)
        #expect(session.run(false))
        pause(milliseconds: 20)
        let paused = try #require(sleeps(ofThread: String(thread)))
        pause(milliseconds: 150)
        let later = try #require(sleeps(ofThread: String(thread)))
        #expect(later == paused)
    }

    @Test(arguments: [true, false])
    func starvedOutputSleepsUntilThereAreFramesAgain(timed: Bool) throws {
        let name = "starve-\(timed)"
        let session = try Session([OutputSpec(name: name, kind: .null(timed: timed))])
        var producer = RingProducer(
            SampleRing(
                format: AudioFormat(sampleRate: 44_100, channels: 2), frames: 65_536,
                producerWake: WakePoint()))
        producer.attach(slot: 0)
        Ramp.produce(&producer, frames: 4_000)
        session.bank.setRunning(true)
        try session.bank.play(producer.ring)
        #expect(session.log.wait { if case .starved(_, frame: 4_000) = $0.kind { true } else { false } })
        pause(milliseconds: 20)
        let before = try #require(sleeps(ofThread: String("jb-out-\(name)".prefix(15))))
        pause(milliseconds: 100)
        let after = try #require(sleeps(ofThread: String("jb-out-\(name)".prefix(15))))
        #expect(after == before)
        Ramp.produce(&producer, frames: 4_000)
        // Untimed, what is written is heard.
        let frame = timed ? 4_000 : 8_000
        #expect(session.log.wait { if case .resumed(_, frame: frame) = $0.kind { true } else { false } })
        producer.end(successor: nil)
        #expect(session.log.waitForEnd(of: producer.ring))
    }
}
