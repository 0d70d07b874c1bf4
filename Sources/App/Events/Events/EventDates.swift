extension Event {
    /// The same event on another day, at the same local time.
    func on(_ day: Day) -> Event {
        let days = day.number - schedule.day.number
        let zone = venue.clock
        var event = self
        event.schedule = schedule.moved(by: days, in: zone)
        event.admission.window = window(on: day)
        event.programme = programme?.map { activity in
            var activity = activity
            activity.content.schedule = activity.content.schedule.moved(by: days, in: zone)
            return activity
        }
        return event
    }

    /// Sets the program. At an event for children the activities are sessions: their places are the event's, and each
    /// can be chosen until it begins.
    mutating func take(programme: [Activity]) {
        self.programme = programme.sorted { ($0.startsAt, $0.id) < ($1.startsAt, $1.id) }
        guard audience == .kids, !programme.isEmpty else { return }
        admission.hasSessions = true
        admission.takesLate = true
        admission.spots = programme.compactMap(\.spots).reduce(0, +)
    }

    /// The registration window for the same event on another day: dates that belong together close together.
    func window(on day: Day) -> Window {
        guard booking != .together else { return admission.window }
        return admission.window.moved(by: day.number - schedule.day.number, in: venue.clock)
    }

    /// Goes by the clock of another zone, at the same times of day: the event, what happens there, and when families
    /// register.
    mutating func move(to zone: Zone) {
        admission.window = admission.window.moved(from: venue.clock, to: zone)
        schedule = schedule.moved(by: 0, in: zone)
        programme = programme?.map { $0.moved(to: zone) }
        venue.zone = zone.identifier
    }

    /// Takes over when another is, to the moment: the site's time zone may have been set anew since.
    mutating func takeTimes(of other: Event) {
        schedule = other.schedule
        venue.zone = other.venue.zone
    }
}
