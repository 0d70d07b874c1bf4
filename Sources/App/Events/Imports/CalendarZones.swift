/// A time zone that a calendar describes itself (RFC 5545, section 3.6.5).
struct ZoneDescription: Sendable {
    /// When clocks are set, and from then on.
    struct Onset: Sendable {
        var isDaylight: Bool
        var start: CalendarTime?
        var from: Int?
        var to: Int?
        var rule: RecurrenceRule?
    }

    var name = ""
    /// The zone of the IANA database that it says it is.
    var location: String?
    var onsets: [Onset] = []

    /// Which of some zones has the same clocks in a year; nil where none has, or where it isn't simple.
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
        // POSIX, and with it these names, count west of Greenwich as more.
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

    /// Whether clocks of a zone are set so about then: the hour is often described carelessly.
    private static func isSet(_ zone: Zone, at moment: Instant, _ onset: Onset) -> Bool {
        zone.offset(at: moment - .hours(6)) == onset.from && zone.offset(at: moment + .hours(6)) == onset.to
    }
}

/// The time zones that a calendar names.
struct CalendarZones {
    /// The one of times without a zone and of whole days.
    let fallback: Zone
    /// The year whose clocks say which zone is described.
    private let year: Int
    /// The zone that the calendar says is its own.
    private(set) var own: Zone?
    private var descriptions: [String: ZoneDescription] = [:]
    private var known: [String: Zone] = [:]
    private var unknown: Set<String> = []

    /// So many names are looked up.
    private static let mostNames = 200

    init(fallback: Zone, year: Int) {
        self.fallback = fallback
        self.year = year
    }

    mutating func add(_ description: ZoneDescription) {
        if descriptions.count < Self.mostNames { descriptions[description.name] = description }
    }

    mutating func setOwn(_ name: String) { own = own ?? Zone(foreign: name) }

    /// What times in UTC are shown in, and what times without a zone are meant in: a calendar that calls UTC its own
    /// zone says nothing of where it is.
    var shown: Zone { own.map { $0 == .utc || $0.identifier == "Etc/UTC" ? fallback : $0 } ?? fallback }

    /// The zone with this name; nil where nobody knows it.
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
        // Described, and yet not understood: the calendar's own zone, else that of the place.
        return description == nil ? own : own ?? fallback
    }

    private static let usual = Zone.usual.compactMap { Zone(identifier: $0) }
}

extension Zone {
    /// As a program calls it: `Europe/Berlin`, `/mozilla.org/20050126_1/Europe/Berlin`, `W. Europe Standard Time`,
    /// `(UTC+01:00) Amsterdam, Berlin, Bern`, `Pacific Time (US & Canada)`.
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
            // Some put their own name and a version in front.
            for count in [3, 2] where parts.count >= count {
                let last = parts.suffix(count).joined(separator: "/")
                if last.utf8.allSatisfy({ $0 != 0x20 }), let zone = Zone(identifier: last) {
                    self = zone
                    return
                }
            }
        }
        guard !isName, name.hasPrefix("(") else { return nil }
        // What Windows shows: the offset in brackets, then some cities, or what the zone is called.
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

    /// Names that aren't Windows' own; what several zones are called isn't among them.
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
