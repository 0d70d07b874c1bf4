/// A moment, in milliseconds since 1970-01-01 00:00 UTC.
struct Instant: Hashable, Comparable, Sendable {
    let milliseconds: Int64

    static func < (a: Self, b: Self) -> Bool { a.milliseconds < b.milliseconds }

    static func + (instant: Self, duration: Duration) -> Self {
        Self(milliseconds: instant.milliseconds + duration.wholeMilliseconds)
    }

    static func - (instant: Self, duration: Duration) -> Self {
        Self(milliseconds: instant.milliseconds - duration.wholeMilliseconds)
    }

    static func - (a: Self, b: Self) -> Duration { .milliseconds(a.milliseconds - b.milliseconds) }
}

extension Duration {
    static func minutes(_ count: Int) -> Duration { .seconds(count * 60) }
    static func hours(_ count: Int) -> Duration { .seconds(count * 3_600) }
    static func days(_ count: Int) -> Duration { .seconds(count * 86_400) }

    /// The length in milliseconds; a broken one is cut off.
    var wholeMilliseconds: Int64 { components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000 }

    /// For people: `20 seconds`, `3 minutes`.
    var inWords: String {
        let seconds = max(1, secondsRoundedUp)
        return seconds < 90 ? (seconds == 1 ? "1 second" : "\(seconds) seconds") : "\((seconds + 59) / 60) minutes"
    }

    /// The length in seconds, rounded up: what `Retry-After` wants.
    var secondsRoundedUp: Int64 { components.seconds + (components.attoseconds > 0 ? 1 : 0) }
}
