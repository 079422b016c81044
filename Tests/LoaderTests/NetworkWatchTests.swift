import Base
import Support
import Testing

@testable import Loader

@Suite struct NetworkWatchTests {
    private static let header =
        "Iface\tDestination\tGateway\tFlags\tRefCnt\tUse\tMetric\tMask\tMTU\tWindow\tIRTT\n"
    private static let loopback = String(repeating: "0", count: 31) + "1 80 "
    private static let zeros = String(repeating: "0", count: 32)

    @Test(arguments: [
        ("", "", false), (header, "", false),
        (header + "eth0\t00000000\t0102000C\t0003\t0\t0\t0\t00000000\t0\t0\t0\n", "", true),
        (header + "eth0\t0002000C\t00000000\t0001\t0\t0\t0\t00FFFFFF\t0\t0\t0\n", "", false),
        (header + "eth0\t00000000\t0102000C\t0002\t0\t0\t0\t00000000\t0\t0\t0\n", "", false),
        ("", loopback + zeros + " 00 " + zeros + " 00000000 00000003 00000000 80200001 lo\n", false),
        (
            "",
            zeros + " 00 " + zeros + " 00 fe800000000000000000000000000001 00000400 1 0 00000003 wlan0\n",
            true
        ),
        ("", zeros + " 00 " + zeros + " 00 " + zeros + " ffffffff 1 0 00200200 lo\n", false),
        ("garbage", "more of it", false),
    ])
    func theWayOutIsReadFromTheRoutes(v4: String, v6: String, expected: Bool) {
        #expect(NetworkWatch.hasDefaultRoute(v4: v4, v6: v6) == expected)
    }

    @Test func namesThatCannotExistAreNotAskedFor() {
        #expect(NameCheck.verdict(on: "nowhere.invalid") == .unknown)
        #expect(NameCheck.verdict(on: "127.0.0.1") == .known)
    }

    @Test func whatWaitsIsTriedAtOnceWhenTheMachineWakesUp() throws {
        var settings = LoaderSettings.quick
        settings.retries.firstDelay = .seconds(3600)
        settings.retries.longestDelay = .seconds(3600)
        let sound = Scripts.bytes(30_000)
        let server = try ScriptedServer { request in
            // The first is asked for twice: servers may refuse it for its range.
            request.index < 3
                ? [.head("HTTP/1.1 503 Busy")]
                : [.head("ICY 200 OK"), .body(sound), .hold]
        }
        let opened = Opened(server.url("/"), settings)
        #expect(opened.log.wait { $0.attempt == 1 } != nil)
        opened.loader.wokeUp()
        #expect(opened.log.wait { $0.attempt == 2 } != nil)
        opened.loader.wokeUp()
        #expect(difference(opened.reader.read(from: 0, atMost: sound.count), sound) == nil)
    }

    @Test func connectionsFromBeforeASleepAreMadeAnewAndNothingIsLost() throws {
        let bytes = Scripts.bytes(200_000)
        for isLive in [true, false] {
            let server = try ScriptedServer { request in
                guard isLive else {
                    return Scripts.part(of: bytes, request, limit: request.index == 0 ? 90_000 : .max)
                        + [.hold]
                }
                let part = request.index == 0 ? bytes[..<90_000] : bytes[90_000...]
                return [.head("ICY 200 OK"), .body(Array(part)), .hold]
            }
            let opened = Opened(server.url("/"))
            #expect(opened.reader.read(from: 0, atMost: 90_000) == Array(bytes[..<90_000]))
            opened.loader.wokeUp()
            #expect(
                difference(opened.reader.read(from: 90_000, atMost: 110_000), Array(bytes[90_000...])) == nil)
            #expect(server.requests.count == 2)
        }
    }
}
