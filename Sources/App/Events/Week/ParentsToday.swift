/// What a parent's Today says about the family.
struct ParentsToday: Sendable {
    let name: String
    /// Offers that must be answered.
    let offers: [Registration.Line]
    /// Places with questions of the host that have to be answered.
    let asked: [OpenQuestions]
    /// Today's past registrations, because somebody may have to call.
    let earlier: [Registration.Line]
    let next: [Registration.Line]
    /// Unseen changes of later registrations.
    let changed: [Registration.Line]
    let hasChildren: Bool
    let city: String
    let nearby: [EventCard]
    let day: Day

    /// The first events that at least one child could come to; without children, the first of all.
    static func fitting(_ events: [EventCard], _ children: [Child], booked: [Commitment], today: Day) -> [EventCard] {
        guard !children.isEmpty else { return events.few(on: today) }
        return events.compactMap { event in
            var event = event
            event.couldCome = event.fitting(children, booked: booked).map(\.name)
            return event.couldCome.isEmpty ? nil : event
        }.few(on: today)
    }

    /// The kinds of upcoming plans.
    enum Part: Sendable { case events, playdates, shifts }

    /// These kinds, the one that begins first on top.
    func parts(_ planned: PlannedMeetings, _ helping: Helping) -> [Part] {
        let starts: [(Part, Instant?)] = [
            (.events, next.first?.schedule.startsAt), (.playdates, planned.next.first?.line.meeting.startsAt),
            (.shifts, helping.next.first?.shift?.startsAt),
        ]
        let last = Instant(milliseconds: .max)
        return starts.enumerated().sorted { ($0.element.1 ?? last, $0.offset) < ($1.element.1 ?? last, $1.offset) }
            .map(\.element.0)
    }

    var days: [RegistrationDay] { RegistrationDay.grouped(next, today: day) }
    var changedDays: [RegistrationDay] { RegistrationDay.grouped(changed, today: day) }
    var nearbyDays: [EventDay] { EventDay.grouped(nearby, today: day) }
}
