import Base
import Player
import Testing

/// What clients may set.
@Suite struct PlayerSettingTests {
    @Test(arguments: [
        ("player.volume", JSONValue.integer(40), "40"), ("player.volume", .real(12.5), "12.5"),
        ("player.muted", .bool(true), "true"), ("player.rate", .integer(1), "1"),
    ])
    func aGoodValueIsTakenWhenApplied(key: String, value: JSONValue, text: String) throws {
        let bench = try Bench()
        let before = bench[key]
        let apply = try bench.table.settable[key]?.prepare(value)
        #expect(bench[key] == before)
        apply?()
        #expect(bench[key] == text)
    }

    @Test(arguments: [
        ("player.volume", JSONValue.integer(101), CommandFailure.Code.invalidParams),
        ("player.volume", .real(-0.1), .invalidParams), ("player.volume", .string("5"), .invalidParams),
        ("player.volume", .null, .invalidParams), ("player.muted", .integer(1), .invalidParams),
        ("player.rate", .real(1.5), .unsupported), ("player.rate", .integer(9), .invalidParams),
        ("player.volume", .real(.nan), .invalidParams),
    ])
    func aBadValueIsRefused(key: String, value: JSONValue, code: CommandFailure.Code) throws {
        let setting = try #require(try Bench().table.settable[key])
        #expect { _ = try setting.prepare(value) } throws: { error in
            guard let failure = error as? CommandFailure else { return false }
            return failure.code == code && failure.message.contains(key)
        }
    }

    @Test func theVolumeIsClamped() throws {
        let bench = try Bench()
        bench.player.setVolume(140)
        bench.player.setVolume(.nan)
        #expect(bench["player.volume"] == "100")
        bench.player.setVolume(-3)
        #expect(bench["player.volume"] == "0" && bench.engine.take().last == .gain(0, false))
    }
}
