import Foundation

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

    static let utc = Zone(identifier: "UTC")!

    /// The zone the machine is set to.
    static var current: Zone { Zone(identifier: TimeZone.current.identifier) ?? utc }

    /// The day and the time a clock in this zone shows at `instant`.
    func local(_ instant: Instant) -> (day: Day, time: TimeOfDay) {
        let seconds = instant.milliseconds.floorDivided(by: 1_000)
        let local = seconds + Int64(offset(atUTC: seconds))
        let day = local.floorDivided(by: 86_400)
        return (Day(number: Int(day)), TimeOfDay(minutes: Int(local - day * 86_400) / 60) ?? .midnight)
    }

    func day(of instant: Instant) -> Day { local(instant).day }

    /// When clocks in this zone show this day and time.
    ///
    /// A time that the spring change skips is moved on by the skipped hour; of one that comes twice, the first is meant.
    func instant(_ day: Day, _ time: TimeOfDay) -> Instant {
        let wall = Int64(day.number) * 86_400 + Int64(time.minutes) * 60
        let before = Int64(offset(atUTC: wall - 86_400))
        let after = Int64(offset(atUTC: wall + 86_400))
        for offset in [before, after] where Int64(self.offset(atUTC: wall - offset)) == offset {
            return Instant(milliseconds: (wall - offset) * 1_000)
        }
        return Instant(milliseconds: (wall - before) * 1_000)
    }

    private func offset(atUTC seconds: Int64) -> Int {
        zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds)))
    }

    static func == (a: Self, b: Self) -> Bool { a.identifier == b.identifier }
    func hash(into hasher: inout Hasher) { hasher.combine(identifier) }
}

extension Int64 {
    /// The quotient rounded towards minus infinity.
    func floorDivided(by divisor: Int64) -> Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
