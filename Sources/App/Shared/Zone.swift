import Forms
import Foundation
import Templating

/// A time zone of the IANA database, such as `America/Los_Angeles`.
struct Zone: Sendable, Hashable {
    let identifier: String
    private let zone: TimeZone

    /// The zone with this name; `nil` for an unknown one.
    init?(identifier: String) {
        guard let zone = TimeZone(identifier: identifier) else { return nil }
        self.identifier = identifier
        self.zone = zone
    }

    /// The zone named in a stored row; UTC if this system no longer knows it.
    init(stored identifier: String) { self = Zone(identifier: identifier) ?? .utc }

    static let utc = Zone(identifier: "UTC")!

    /// Whether it is UTC by one of its names, which says nothing of where somebody is; GMT is what a system without a
    /// zone calls it.
    var isUTC: Bool { identifier.hasSuffix("UTC") || identifier == "GMT" }

    /// This machine's zone.
    static var current: Zone { Zone(identifier: TimeZone.current.identifier) ?? utc }

    /// The local day and time at `instant`.
    func local(_ instant: Instant) -> (day: Day, time: TimeOfDay) {
        let seconds = instant.milliseconds.floorDivided(by: 1_000)
        let local = seconds + Int64(offset(atUTC: seconds))
        let day = local.floorDivided(by: 86_400)
        return (Day(number: Int(day)), TimeOfDay(minutes: Int(local - day * 86_400) / 60) ?? .midnight)
    }

    func day(of instant: Instant) -> Day { local(instant).day }

    /// The instant of a local day and time.
    ///
    /// A time that is skipped in spring is moved forward by the skipped hour; if a time occurs twice, the first is
    /// meant.
    func instant(_ day: Day, _ time: TimeOfDay) -> Instant {
        let wall = Int64(day.number) * 86_400 + Int64(time.minutes) * 60
        let before = Int64(offset(atUTC: wall - 86_400))
        let after = Int64(offset(atUTC: wall + 86_400))
        for offset in [before, after] where Int64(self.offset(atUTC: wall - offset)) == offset {
            return Instant(milliseconds: (wall - offset) * 1_000)
        }
        return Instant(milliseconds: (wall - before) * 1_000)
    }

    /// Local times that don't exist because clocks are set forward.
    struct Gap: Sendable, Equatable {
        let from: TimeOfDay
        let to: TimeOfDay
        /// Whether a whole day is skipped, as 30 December 2011 in Samoa.
        let isWholeDay: Bool
    }

    /// The gap that contains this local day and time; nil if they exist.
    func gap(_ day: Day, _ time: TimeOfDay) -> Gap? {
        let moved = instant(day, time)
        guard local(moved) != (day, time) else { return nil }
        // The change was between the day before and now; a binary search finds the second.
        var before = moved.milliseconds.floorDivided(by: 1_000) - 2 * 86_400
        var after = before + 2 * 86_400
        let old = offset(atUTC: before)
        while after - before > 1 {
            let middle = before + (after - before) / 2
            if offset(atUTC: middle) == old { before = middle } else { after = middle }
        }
        func clock(_ offset: Int) -> TimeOfDay {
            Zone.utc.local(Instant(milliseconds: (after + Int64(offset)) * 1_000)).time
        }
        let new = offset(atUTC: after)
        return Gap(from: clock(old), to: clock(new), isWholeDay: new - old >= 86_400)
    }

    /// `instant` in RFC 3339 format, in local time: `2027-03-27T10:00:00-07:00`.
    func timestamp(_ instant: Instant) -> String {
        let seconds = instant.milliseconds.floorDivided(by: 1_000)
        let offset = offset(atUTC: seconds)
        let local = seconds + Int64(offset)
        let day = local.floorDivided(by: 86_400)
        let time = Int(local - day * 86_400)
        let clock = "\(digits(time / 3_600, 2)):\(digits(time / 60 % 60, 2)):\(digits(time % 60, 2))"
        let ahead = abs(offset) / 60
        let sign = offset < 0 ? "-" : "+"
        return "\(Day(number: Int(day)).iso)T\(clock)\(sign)\(digits(ahead / 60, 2)):\(digits(ahead % 60, 2))"
    }

    /// A change of the offset from UTC.
    struct Change: Sendable, Equatable {
        let at: Instant
        /// The offsets before and after it, in seconds ahead of UTC.
        let from: Int
        let to: Int
        /// Whether daylight saving time begins.
        let isDaylight: Bool
    }

    /// The offset at `instant`, in seconds ahead of UTC.
    func offset(at instant: Instant) -> Int { offset(atUTC: instant.milliseconds.floorDivided(by: 1_000)) }

    /// The changes after `start` and before `end`; at most 100.
    func changes(after start: Instant, before end: Instant) -> [Change] {
        var changes: [Change] = []
        var last = Date(timeIntervalSince1970: Double(start.milliseconds) / 1_000)
        while changes.count < 100, let next = zone.nextDaylightSavingTimeTransition(after: last), next > last {
            let at = Instant(milliseconds: Int64(next.timeIntervalSince1970) * 1_000)
            guard at < end else { break }
            changes.append(
                Change(
                    at: at, from: offset(at: at - .seconds(1)), to: offset(at: at),
                    isDaylight: zone.isDaylightSavingTime(for: next)))
            last = next
        }
        return changes
    }

    private func offset(atUTC seconds: Int64) -> Int {
        zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds)))
    }

    static func == (a: Self, b: Self) -> Bool { a.identifier == b.identifier }
    func hash(into hasher: inout Hasher) { hasher.combine(identifier) }
}

extension Int64 {
    /// The quotient rounded toward minus infinity.
    func floorDivided(by divisor: Int64) -> Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}

extension Zone {
    /// The zones that forms suggest.
    static let usual = [
        "America/New_York", "America/Chicago", "America/Denver", "America/Phoenix", "America/Los_Angeles",
        "America/Anchorage", "Pacific/Honolulu", "America/Puerto_Rico", "America/Toronto", "America/Mexico_City",
        "Europe/London", "Europe/Dublin", "Europe/Berlin", "Europe/Paris", "Europe/Madrid", "Europe/Warsaw",
        "Asia/Kolkata", "Asia/Tokyo", "Australia/Sydney", "Pacific/Auckland",
    ]

    /// Parses a typed zone: `America/Los_Angeles`, or `Berlin` if only one zone has that name; abbreviations such as
    /// `PST` are ambiguous.
    init?(typed: String) {
        guard !typed.contains("/"), typed != "UTC" else {
            self.init(identifier: typed)
            return
        }
        let city = folded(typed)
        let found = TimeZone.knownTimeZoneIdentifiers.filter { name in
            let parts = name.split(separator: "/")
            return parts.count > 1 && parts[0] != "Etc" && parts.last.map { folded(String($0)) } == city
        }
        guard found.count == 1 else { return nil }
        self.init(identifier: found[0])
    }
}

extension Zone {
    /// The zone's common name: `Central European Time`.
    var name: Words { Words(ZoneName(zone: self)) }

    /// The name in a locale. Finding it takes as long as drawing a page: `Formats` caches it.
    func name(in locale: Locale) -> String { zone.localizedName(for: .generic, locale: locale) ?? identifier }
}

/// The name of a zone in a language.
private struct ZoneName: LocalValue {
    let zone: Zone

    func text(in locale: String) -> String { Formats.of(locale).name(of: zone) }
}
