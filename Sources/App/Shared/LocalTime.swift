import Forms

/// A day and a time, as a form has them together.
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

    /// `2027-03-25T09:00`, or the two with a space or a comma between.
    init?(typed: String) {
        let parts = typed.split(maxSplits: 1) { $0 == "T" || $0 == " " || $0.isComma }.map { $0.squeezed }
        guard parts.count == 2, let day = Day(iso: parts[0]), let time = TimeOfDay(typed: parts[1]) else { return nil }
        self.init(day: day, time: time)
    }

    var typed: String { "\(day.iso)T\(time.iso)" }

    func moved(by days: Int) -> LocalTime { LocalTime(day: day.advanced(by: days), time: time) }

    func instant(in zone: Zone) -> Instant { zone.instant(day, time) }
}
