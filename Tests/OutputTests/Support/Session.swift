import Base
import Foundation
import Output

/// Outputs, what they tell, and what is played to them; all ends with the test.
final class Session {
    let log = EventLog()
    let bank: OutputBank
    private var feeders: [Feeder] = []

    init(_ specs: [OutputSpec]) throws {
        bank = try OutputBank(specs) { [log] in log.add($0) }
    }

    deinit { finish() }

    func play(_ feeder: Feeder, running: Bool = true) throws {
        feeders.append(feeder)
        bank.setRunning(running)
        try bank.play(feeder.ring)
        bank.setRunning(running)
    }

    func finish() {
        bank.shutDown(within: .seconds(2))
        for feeder in feeders { feeder.finish() }
    }

    /// Lets the outputs run or pauses them; returns when the clock was told to do so.
    func run(_ running: Bool) -> Bool {
        bank.setRunning(running)
        return log.wait { _ in log.isClockRunning == running }
    }

    /// Waits until the clock was told to run or stand so many times.
    func waitForClock(running: Bool, count: Int) -> Bool {
        log.wait(count: count) { event in
            if case .clock(_, _, _, running) = event.kind { true } else { false }
        }
    }

    var underruns: Int {
        log.all.reduce(0) { if case .underrun = $1.kind { $0 + 1 } else { $0 } }
    }

    var openedRates: [Int] {
        log.all.compactMap { if case .opened(_, let format) = $0.kind { format.sampleRate } else { nil } }
    }
}

/// A sine by cycles, and real time where that is what a test is about.
enum Sine {
    static func value(_ cycles: Double) -> Double { sin(2 * .pi * cycles) }
}

func pause(milliseconds: Int) { usleep(UInt32(milliseconds * 1000)) }

extension FakeCard {
    /// The first channel's samples, full scale ±1.
    func values(format: String, channels: Int) -> [Double] {
        let bytes = bytes
        let width = format == "S16_LE" ? 2 : format == "S24_3LE" ? 3 : 4
        return stride(from: 0, to: bytes.count - width + 1, by: width * channels).map { at in
            let raw = (0..<width).reduce(0) { $0 | Int(bytes[at + $1]) << (8 * $1) }
            switch format {
            case "S16_LE": return Double(Int16(truncatingIfNeeded: raw)) / 32768
            case "S24_3LE", "S24_LE": return Double(Int32(truncatingIfNeeded: raw << 8) >> 8) / 8_388_608
            case "S32_LE": return Double(Int32(truncatingIfNeeded: raw)) / 2_147_483_648
            default: return Double(Float(bitPattern: UInt32(truncatingIfNeeded: raw)))
            }
        }
    }
}
