/// A time zone described in the calendar itself (RFC 5545, section 3.6.5).
struct ZoneDescription: Sendable {
    /// A change of the offset.
    struct Onset: Sendable {
        var isDaylight: Bool
        var start: CalendarTime?
        var from: Int?
        var to: Int?
        var rule: RecurrenceRule?
    }

    var name = ""
    /// The IANA zone that it claims to be.
    var location: String?
    var onsets: [Onset] = []

    /// The zone among some with the same offsets in a year; nil if there is none, or the description is complicated.
    func zone(in year: Int, among candidates: [Zone]) -> Zone? {
        guard let standard = latest(isDaylight: false) ?? latest(isDaylight: true), let offset = standard.to else {
            return nil
        }
        if let daylight = latest(isDaylight: true), let forward = moment(of: daylight, in: year),
            let back = moment(of: standard, in: year), daylight.to != standard.to
        {
            return candidates.first { Self.isSet($0, at: forward, daylight) && Self.isSet($0, at: back, standard) }
        }
        let days = [1, 4, 7, 10].compactMap { Day(year: year, month: $0, day: 15) }
        let same = candidates.first { zone in
            days.allSatisfy { zone.offset(at: Zone.utc.instant($0, .midnight)) == offset }
        }
        guard same == nil, offset % 3_600 == 0 else { return same }
        // In POSIX and in these names, west of Greenwich is positive.
        let hours = offset / 3_600
        return Zone(identifier: hours == 0 ? "UTC" : "Etc/GMT\(hours < 0 ? "+" : "-")\(abs(hours))")
    }

    private func latest(isDaylight: Bool) -> Onset? {
        onsets.filter { $0.isDaylight == isDaylight && $0.to != nil }.max { one, other in
            (one.start?.day(in: .utc).number ?? 0) < (other.start?.day(in: .utc).number ?? 0)
        }
    }

    private func moment(of onset: Onset, in year: Int) -> Instant? {
        guard let rule = onset.rule, case .local(let start, let time, _)? = onset.start, let from = onset.from,
            let day = rule.days(ofYear: year, from: start).first
        else { return nil }
        return Zone.utc.instant(day, time) - .seconds(from)
    }

    /// Whether a zone has such a change at about that time: the hour is often given inaccurately.
    private static func isSet(_ zone: Zone, at moment: Instant, _ onset: Onset) -> Bool {
        zone.offset(at: moment - .hours(6)) == onset.from && zone.offset(at: moment + .hours(6)) == onset.to
    }
}

/// The time zones named in a calendar.
struct CalendarZones {
    /// The zone for times without a zone and for all-day entries.
    let fallback: Zone
    /// The year whose offsets identify a described zone.
    private let year: Int
    /// The calendar's own zone, if it names one.
    private(set) var own: Zone?
    private var descriptions: [String: ZoneDescription] = [:]
    private var known: [String: Zone] = [:]
    private var unknown: Set<String> = []

    /// The most names to look up.
    private static let mostNames = 200

    init(fallback: Zone, year: Int) {
        self.fallback = fallback
        self.year = year
    }

    mutating func add(_ description: ZoneDescription) {
        if descriptions.count < Self.mostNames { descriptions[description.name] = description }
    }

    mutating func setOwn(_ name: String) { own = own ?? Zone(foreign: name) }

    /// The zone in which times in UTC are shown and times without a zone are meant. A calendar whose own zone is UTC
    /// doesn't tell where it is.
    var shown: Zone { own.map { $0.isUTC ? fallback : $0 } ?? fallback }

    /// The zone with this name; nil if it is unknown.
    mutating func zone(named name: String) -> Zone? {
        if let zone = known[name] { return zone }
        guard known.count + unknown.count < Self.mostNames, !unknown.contains(name) else { return nil }
        guard let zone = look(for: name) else {
            unknown.insert(name)
            return nil
        }
        known[name] = zone
        return zone
    }

    private func look(for name: String) -> Zone? {
        if let zone = Zone(foreign: name) { return zone }
        let description = descriptions[name]
        if let zone = description?.location.flatMap({ Zone(foreign: $0) }) { return zone }
        let candidates = [fallback] + (own.map { [$0] } ?? []) + Self.usual + WindowsZone.all
        if let zone = description?.zone(in: year, among: candidates) { return zone }
        // Described but not recognized: use the calendar's own zone, otherwise that of the place.
        return description == nil ? own : own ?? fallback
    }

    private static let usual = Zone.usual.compactMap { Zone(identifier: $0) }
}

extension Zone {
    /// Parses other programs' names: `Europe/Berlin`, `/mozilla.org/20050126_1/Europe/Berlin`, `W. Europe Standard
    /// Time`, `(UTC+01:00) Amsterdam, Berlin, Bern`, `Pacific Time (US & Canada)`.
    init?(foreign name: String) {
        guard name.utf8.count <= 120 else { return nil }
        let name = String(name.drop { $0 == " " || $0 == "\"" }.prefix { $0 != "\"" })
        if let identifier = WindowsZone.identifier(of: name) ?? Self.foreign[name.lowercased()] {
            self.init(identifier: identifier)
            return
        }
        let isName = name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "_"), UInt8(ascii: "-"),
                UInt8(ascii: "+"):
                true
            default: false
            }
        }
        let parts = name.split(separator: "/")
        if parts.count > 1 {
            // Some programs add their name and a version at the front.
            for count in [3, 2] where parts.count >= count {
                let last = parts.suffix(count).joined(separator: "/")
                if last.utf8.allSatisfy({ $0 != 0x20 }), let zone = Zone(identifier: last) {
                    self = zone
                    return
                }
            }
        }
        guard !isName, name.hasPrefix("(") else { return nil }
        // Windows' display names: the offset in parentheses, then some cities or the zone's name.
        let label = name.drop { $0 != ")" }.dropFirst().drop { $0 == " " }
        if let identifier = Self.foreign[label.lowercased()] {
            self.init(identifier: identifier)
            return
        }
        for city in label.split(whereSeparator: { ",/;".contains($0) }).prefix(8) {
            if let zone = Zone(typed: String(city.drop { $0 == " " })) {
                self = zone
                return
            }
        }
        return nil
    }

    /// Names other than Windows' identifiers, without ambiguous ones.
    private static let foreign: [String: String] = [
        "utc": "UTC", "gmt": "UTC", "z": "UTC", "etc/utc": "UTC", "etc/gmt": "UTC", "zulu": "UTC",
        "tzone://microsoft/utc": "UTC", "coordinated universal time": "UTC",
        "est5edt": "America/New_York", "cst6cdt": "America/Chicago", "mst7mdt": "America/Denver",
        "pst8pdt": "America/Los_Angeles", "est": "America/New_York", "edt": "America/New_York",
        "pst": "America/Los_Angeles", "pdt": "America/Los_Angeles", "cet": "Europe/Berlin", "cest": "Europe/Berlin",
        "mez": "Europe/Berlin", "mesz": "Europe/Berlin",
        "eastern time (us & canada)": "America/New_York", "eastern time": "America/New_York",
        "central time (us & canada)": "America/Chicago", "central time": "America/Chicago",
        "mountain time (us & canada)": "America/Denver", "mountain time": "America/Denver",
        "pacific time (us & canada)": "America/Los_Angeles", "pacific time": "America/Los_Angeles",
        "arizona": "America/Phoenix", "alaska": "America/Anchorage", "hawaii": "Pacific/Honolulu",
    ]
}
