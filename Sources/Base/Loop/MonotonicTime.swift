import CLinux
import Glibc

/// A moment on CLOCK_MONOTONIC, in nanoseconds; not comparable over a reboot.
package struct MonotonicTime: Comparable, Hashable, Sendable {
    package let nanoseconds: Int64

    package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    package static func < (a: Self, b: Self) -> Bool { a.nanoseconds < b.nanoseconds }

    package static func + (time: Self, duration: Duration) -> Self {
        Self(nanoseconds: time.nanoseconds &+ duration.nanoseconds)
    }

    package static func - (a: Self, b: Self) -> Duration {
        .nanoseconds(a.nanoseconds &- b.nanoseconds)
    }

    /// Now, by CLOCK_MONOTONIC; any thread, about 25 ns.
    package static var now: Self { Self(nanoseconds: Clocks.nanoseconds(CLOCK_MONOTONIC)) }
}

extension Duration {
    /// The whole duration in nanoseconds; about 292 years at most.
    package var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds &* 1_000_000_000 &+ attoseconds / 1_000_000_000
    }

    /// The duration in seconds.
    package var inSeconds: Double { Double(nanoseconds) / 1e9 }

    /// A duration from seconds; beyond ±100 years and NaN are clamped.
    package static func seconds(clamping seconds: Double) -> Duration {
        let limit = 3.15e9
        guard seconds == seconds else { return .zero }
        return .nanoseconds(Int64(max(-limit, min(limit, seconds)) * 1e9))
    }
}

/// The system's clocks as numbers.
package enum Clocks {
    /// The clock's time in nanoseconds.
    static func nanoseconds(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        unsafe clock_gettime(clock, &time)
        return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }

    /// Unix time in seconds.
    package static var unixTime: Double { Double(nanoseconds(CLOCK_REALTIME)) / 1e9 }

    /// CLOCK_MONOTONIC in seconds: stands while suspended.
    package static var monotonicTime: Double { Double(nanoseconds(CLOCK_MONOTONIC)) / 1e9 }

    /// CLOCK_BOOTTIME in seconds: goes on while suspended.
    package static var bootTime: Double { Double(nanoseconds(CLOCK_BOOTTIME)) / 1e9 }
}
