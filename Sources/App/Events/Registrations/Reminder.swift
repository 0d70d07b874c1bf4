/// A reminder shortly before an event, a shift or a meeting, as each member chose.
enum Reminder: String, CaseIterable, Sendable {
    case day, hours

    var kind: NoticeKind {
        switch self {
        case .day: .dayBefore
        case .hours: .hoursBefore
        }
    }

    init?(_ kind: NoticeKind) {
        guard let reminder = Self.allCases.first(where: { $0.kind == kind }) else { return nil }
        self = reminder
    }

    /// When it is due: the day before, at the start's local time at the venue; or two hours before.
    func due(for schedule: Schedule, in zone: Zone) -> Instant {
        switch self {
        case .day: zone.instant(schedule.day.advanced(by: -1), schedule.start)
        case .hours: schedule.startsAt - .hours(2)
        }
    }

    func due(for event: Event) -> Instant { due(for: event.schedule, in: event.clock) }
}
