import Base
import Foundation
import Support
import Testing

@testable import Output

@Suite struct BroadcastTests {
    private let stereo = AudioFormat(sampleRate: 48_000, channels: 2)
    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    private var fifo: String { folder.file("fifo") }

    private func ramp(_ total: Int, slots: [Int] = [0]) throws -> Feeder {
        try Feeder(stereo, total: total, slots: slots) { Float(Ramp.value($0, channel: $1)) / 32_768 }
    }

    /// A lead that no machine is too slow for.
    private let longLead = "lead=1000"

    @Test func aFifoGetsTheLeadAndThenEveryFrame() throws {
        let reader = try StreamReader(fifo: fifo)
        let session = try Session([OutputSpec(parsing: "fifo:\(fifo)?\(longLead)")])
        let feeder = try ramp(24_000)
        try session.play(feeder)
        #expect(session.log.waitForEnd(of: feeder.ring))
        // The ramp is silent in one frame; a machine that is late in adds silence, too.
        let expected = (0..<24_000).map { Ramp.value($0, channel: 0) }.filter { $0 != 0 }
        #expect(comesTrue { reader.sounding.count >= expected.count })
        #expect(reader.sounding == expected)
        #expect(reader.bytes.prefix(4 * 48_000).allSatisfy { $0 == 0 })
        reader.leave()
    }

    @Test func whatIsElsewhereIsConnectedToUntilItIsThere() throws {
        let (socket, port) = StreamReader.socket()
        let session = try Session([OutputSpec(parsing: "tcp:127.0.0.1:\(port)")])
        let feeder = try ramp(480_000)
        try session.play(feeder)
        #expect(session.log.wait { if case .remark(_?) = $0.kind { true } else { false } })
        #expect(session.log.wait { _ in session.log.isClockRunning == true })
        let reader = try StreamReader(socket: socket)
        #expect(session.log.wait { if case .remark(nil) = $0.kind { true } else { false } })
        #expect(comesTrue { reader.samples.count >= 4_800 })
        let samples = reader.samples
        #expect((0..<2_000).allSatisfy { samples[2 * $0] == -samples[2 * $0 + 1] }, "frames are whole")
        reader.leave()
        #expect(
            session.log.wait(count: 2) { if case .remark(_?) = $0.kind { true } else { false } },
            "a connection that breaks is told")
        #expect(session.log.isClockRunning == true)
    }

    @Test func theConfiguredFormatIsSent() throws {
        let reader = try StreamReader(fifo: fifo)
        let session = try Session([OutputSpec(parsing: "fifo:\(fifo)?format=44100:32:1&\(longLead)")])
        let feeder = try Feeder(AudioFormat(sampleRate: 22_050, channels: 2), total: 11_025) { _, _ in 0.25 }
        try session.play(feeder)
        #expect(session.log.waitForEnd(of: feeder.ring))
        // One frame to find the reader, the lead, half a second.
        let wanted = 4 * (1 + 44_100 + 22_050)
        #expect(comesTrue { reader.bytes.count >= wanted })
        let middle = wanted - 4 * 11_025
        let sample = (0..<4).reduce(0) { $0 | Int(reader.bytes[middle + $1]) << (8 * $1) }
        #expect(abs(sample - 0x2000_0000) < 0x2000)
        reader.leave()
    }

    /// Nobody is waited for: neither one who is not there, nor one who does not read.
    @Test(arguments: ["nobody", "missing", "stuck"])
    func nobodyHoldsUpThePlayer(who: String) throws {
        if who != "missing" { unsafe mkfifo(fifo, 0o600) }
        let stuck = who == "stuck" ? try System.open(fifo, O_RDONLY | O_NONBLOCK).release() : -1
        let session = try Session([OutputSpec(parsing: "fifo:\(fifo)")])
        let feeder = try ramp(72_000)
        if stuck >= 0 {
            // It has read once, and never again.
            try Thread.start(name: "stuck") { [fifo] in
                var byte = [UInt8](repeating: 0, count: 4)
                while unsafe read(stuck, &byte, 4) <= 0 { usleep(1000) }
                _ = fifo
            }
        }
        try session.play(feeder)
        #expect(session.log.waitForEnd(of: feeder.ring))
        #expect(session.log.all.contains { if case .remark(_?) = $0.kind { true } else { false } })
        #expect(FileManager.default.fileExists(atPath: fifo) == (who != "missing"), "nothing is made")
        if stuck >= 0 { close(stuck) }
    }

    @Test(arguments: ["file", "folder", "device"])
    func whatIsNoFifoIsLeftAlone(what: String) throws {
        let path = what == "device" ? "/dev/full" : fifo
        if what == "file" { try "as it was".write(toFile: fifo, atomically: true, encoding: .utf8) }
        if what == "folder" { unsafe mkdir(fifo, 0o700) }
        let session = try Session([OutputSpec(parsing: "fifo:\(path)")])
        try session.play(try ramp(48_000))
        #expect(
            session.log.wait { if case .failed(let text) = $0.kind { text.contains("FIFO") } else { false } })
        if what == "file" { #expect(try String(contentsOfFile: fifo, encoding: .utf8) == "as it was") }
    }

    @Test func aReaderThatComesBackHearsWhatIsPlayedThen() throws {
        var reader = try StreamReader(fifo: fifo)
        let session = try Session([OutputSpec(parsing: "fifo:\(fifo)")])
        try session.play(try ramp(960_000))
        #expect(comesTrue { reader.samples.count > 4_800 })
        reader.leave()
        #expect(session.log.wait { if case .remark(_?) = $0.kind { true } else { false } })
        reader = try StreamReader(fifo: fifo)
        #expect(session.log.wait { if case .remark(nil) = $0.kind { true } else { false } })
        #expect(comesTrue { reader.samples.count > 4_800 })
        let samples = reader.samples
        #expect((1..<2_000).allSatisfy { samples[2 * $0] != samples[2 * $0 - 2] }, "no old silence within")
        reader.leave()
    }

    /// A pause fades, and leaves out nothing that was not sent.
    @Test func pausesLoseAndDoubleNothing() throws {
        let reader = try StreamReader(fifo: fifo)
        let session = try Session([OutputSpec(parsing: "fifo:\(fifo)?\(longLead)")])
        let feeder = try Feeder(stereo, total: 48_000) { _, _ in 0.25 }
        try session.play(feeder, running: false)
        for _ in 0..<4 {
            #expect(session.run(true))
            #expect(session.run(false))
        }
        #expect(session.run(true))
        #expect(session.log.waitForEnd(of: feeder.ring))
        #expect(comesTrue { reader.samples.count { $0 != 0 } / 2 >= 47_900 })
        reader.leave()
        let loud = reader.samples.count { $0 != 0 } / 2
        // A fade begins and ends with frames that are rounded to silence.
        #expect((47_900...48_000).contains(loud))
    }

    @Test func outputsOfAllKindsPlayAtOnceAndComeAndGo() throws {
        let reader = try StreamReader(fifo: fifo)
        let (socket, port) = StreamReader.socket()
        let server = try StreamReader(socket: socket)
        let card = try FakeCard("PATIENT=1,FORMAT=S32_LE")
        let session = try Session([
            card.spec(), OutputSpec(parsing: "fifo:\(fifo)"), OutputSpec(parsing: "tcp:127.0.0.1:\(port)"),
            OutputSpec(parsing: "wav:\(folder.file("a.wav"))"),
        ])
        let feeder = try ramp(48_000_000, slots: [0, 1, 2, 3])
        try session.play(feeder)
        #expect(comesTrue { reader.samples.count > 9_600 && server.samples.count > 9_600 })
        // As the engine does: who wants the ring gets it, once switched on or left behind by a busy machine.
        var answered = 0
        func letIn() throws {
            let wishes = session.log.all.filter { if case .wantsRing = $0.kind { true } else { false } }
            for wish in wishes.dropFirst(answered) {
                feeder.attach(wish.slot)
                try session.bank.join(wish.slot, feeder.ring)
            }
            answered = wishes.count
        }
        // The clock itself goes, and comes again while the others play on.
        for name in ["card", "fifo", "card", "fifo", "wav"] {
            let slot = try #require(session.bank.slot(named: name))
            _ = try session.bank.setEnabled(name, !session.bank.isEnabled(slot))
            let before = server.bytes.count
            #expect(
                comesTrue {
                    try? letIn()
                    return server.bytes.count > before + 19_200
                }, "\(name) held up another")
        }
        session.finish()
        reader.leave()
        server.leave()
    }
}
