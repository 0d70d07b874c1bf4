import Forms

/// A point in time, in milliseconds since 1970-01-01 00:00 UTC.
struct Instant: Hashable, Comparable, Sendable {
    let milliseconds: Int64

    /// In whole seconds.
    var seconds: Int64 { milliseconds / 1_000 }

    /// The beginning of its minute.
    var minute: Instant { Instant(milliseconds: milliseconds.floorDivided(by: 60_000) * 60_000) }

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
        // The sign of the offset is the last one.
        guard let end = text.lastIndex(where: { "Z+-".contains($0) }) else { return nil }
        let parts = text[..<end].split(separator: "T", omittingEmptySubsequences: false)
        guard parts.count == 2, let day = Day(iso: parts[0]), let clock = Self.pairs(parts[1]),
            (2...3).contains(clock.count), let time = TimeOfDay(hour: clock[0], minute: clock[1]),
            clock.count < 3 || clock[2] < 60
        else { return nil }
        let second = clock.count == 3 ? clock[2] : 0
        let local = Zone.utc.instant(day, time) + .seconds(second)
        if text[end...] == "Z" {
            self = local
            return
        }
        guard text[end] != "Z", let ahead = Self.pairs(text[end...].dropFirst()), ahead.count == 2, ahead[0] < 24,
            ahead[1] < 60
        else { return nil }
        let offset = Duration.minutes(ahead[0] * 60 + ahead[1])
        self = text[end] == "-" ? local + offset : local - offset
    }

    /// Numbers of two digits with colons between them: `10:00:30`; nil if it is anything else.
    private static func pairs(_ text: Substring) -> [Int]? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.allSatisfy({ $0.utf8.count == 2 && $0.isDigits }) else { return nil }
        return parts.compactMap { Int($0) }
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
