import Forms

/// A point in time, in milliseconds since 1970-01-01 00:00 UTC.
struct Instant: Hashable, Comparable, Sendable {
    let milliseconds: Int64

    /// In whole seconds.
    var seconds: Int64 { milliseconds / 1_000 }

    static func < (a: Self, b: Self) -> Bool { a.milliseconds < b.milliseconds }

    static func + (instant: Self, duration: Duration) -> Self {
        Self(milliseconds: instant.milliseconds + duration.wholeMilliseconds)
    }

    static func - (instant: Self, duration: Duration) -> Self {
        Self(milliseconds: instant.milliseconds - duration.wholeMilliseconds)
    }

    static func - (a: Self, b: Self) -> Duration { .milliseconds(a.milliseconds - b.milliseconds) }
}

extension Instant {
    /// Parses RFC 3339, with or without seconds: `2027-03-20T10:00-07:00`, `2027-03-20T17:00:00Z`.
    init?(timestamp text: String) {
        let shape = /(\d{4}-\d\d-\d\d)T(\d\d):(\d\d)(?::(\d\d))?(?:Z|([+-])(\d\d):(\d\d))/
        guard let parts = text.wholeMatch(of: shape)?.output, let day = Day(iso: parts.1), let hour = Int(parts.2),
            let minute = Int(parts.3), let time = TimeOfDay(hour: hour, minute: minute),
            let second = Int(parts.4 ?? "0"), second < 60, let ahead = Int(parts.6 ?? "0"), ahead < 24,
            let rest = Int(parts.7 ?? "0"), rest < 60
        else { return nil }
        let offset = Duration.minutes(ahead * 60 + rest)
        let local = Zone.utc.instant(day, time) + .seconds(second)
        self = parts.5 == "-" ? local + offset : local - offset
    }
}

extension Duration {
    static func minutes(_ count: Int) -> Duration { .seconds(count * 60) }
    static func hours(_ count: Int) -> Duration { .seconds(count * 3_600) }
    static func days(_ count: Int) -> Duration { .seconds(count * 86_400) }

    /// The duration in milliseconds, rounded down.
    var wholeMilliseconds: Int64 { components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000 }

    /// The duration for people, rounded up: `20 seconds`, `3 minutes`, `48 hours`, `90 days`.
    var inWords: Words {
        let seconds = max(1, Int(secondsRoundedUp))
        switch seconds {
        case ..<90: return Words("{count} second", plural: "{count} seconds", count: seconds)
        case ...7_200: return Words("{count} minute", plural: "{count} minutes", count: (seconds + 59) / 60)
        case ...172_800: return Words("{count} hour", plural: "{count} hours", count: (seconds + 3_599) / 3_600)
        default: return Words("{count} day", plural: "{count} days", count: (seconds + 86_399) / 86_400)
        }
    }

    /// The duration in seconds, rounded up, for `Retry-After`.
    var secondsRoundedUp: Int64 { components.seconds + (components.attoseconds > 0 ? 1 : 0) }
}
