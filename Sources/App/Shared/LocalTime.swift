import Forms

/// A day and a time, together in one form field.
struct LocalTime: FormValue, Equatable {
    let day: Day
    let time: TimeOfDay

    init(day: Day, time: TimeOfDay) {
        self.day = day
        self.time = time
    }

    init(_ instant: Instant, in zone: Zone) {
        let local = zone.local(instant)
        self.init(day: local.day, time: local.time)
    }

    init?(typed: String) { self.init(typed: typed, in: "") }

    /// Parses `2027-03-25T09:00` or `25 March 2027, 9am`: a day in the country's format, then a time.
    init?(typed: String, in country: String) {
        // Both may contain spaces and commas: `March 25, 2027 at 9:00 a. m.`
        let ends = typed.indices.filter { typed[$0] == "T" || typed[$0].isWhitespace || typed[$0].isComma }
        for end in ends.suffix(6).reversed() {
            if let day = Day(typed: typed[..<end].squeezed, in: country),
                let time = TimeOfDay(typed: typed[typed.index(after: end)...].squeezed)
            {
                self.init(day: day, time: time)
                return
            }
        }
        return nil
    }

    var typed: String { "\(day.iso)T\(time.iso)" }

    func moved(by days: Int) -> LocalTime { LocalTime(day: day.advanced(by: days), time: time) }

    func instant(in zone: Zone) -> Instant { zone.instant(day, time) }
}

extension Instant {
    /// When clocks in one zone show what those in another show now.
    func moved(from old: Zone, to new: Zone) -> Instant { LocalTime(self, in: old).instant(in: new) }
}
