import Forms

/// New registrations collected into a daily letter, for hosts who don't want a letter for each.
enum Digest {
    /// The hour at which it is sent, in the venue's zone.
    static let hour = TimeOfDay(hour: 7, minute: 0)!

    /// When the next one is due.
    static func due(after now: Instant, in zone: Zone) -> Instant {
        let today = zone.instant(zone.day(of: now), hour)
        return today > now ? today : zone.instant(zone.day(of: now).advanced(by: 1), hour)
    }

    /// The part about one event.
    struct Line: Sendable {
        let event: ID<Event>
        let count: Int
    }

    /// The format in a letter's row: `7:3,9:1`.
    static func keeping(_ lines: [Line]) -> String {
        lines.map { "\($0.event):\($0.count)" }.joined(separator: ",")
    }

    static func kept(_ detail: String) -> [Line] {
        detail.split(separator: ",").compactMap { line in
            let parts = line.split(separator: ":")
            guard parts.count == 2, let event = ID<Event>(String(parts[0])), let count = Int(parts[1]) else {
                return nil
            }
            return Line(event: event, count: count)
        }
    }
}
