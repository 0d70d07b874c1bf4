import Forms
import Templating

/// A meeting that one side proposes and the other accepts.
struct Meeting: Sendable {
    let id: ID<Meeting>
    let match: ID<PetMatch>
    /// The owner who proposed it, and the one who was asked.
    let account: ID<Account>
    let other: ID<Account>
    let place: String
    let times: [Instant]
    let state: State
    /// Its time, once agreed.
    let startsAt: Instant?
    let reason: String
    let again: Again?
    let otherAgain: Again?
    /// Whether nobody answered in time.
    var isLapsed = false

    enum State: String, Sendable, CaseIterable {
        case proposed, agreed, declined, canceled
    }

    /// The answer afterwards; the other person never learns it.
    enum Again: String, Sendable, CaseIterable, FormValue {
        case yes, no, wrong

        var name: Words {
            switch self {
            case .yes: "Yes, gladly"
            case .no: "No, once is enough"
            case .wrong: "Something was wrong"
            }
        }
    }

    /// Scheduled messages to both people.
    enum Call: String, Sendable {
        /// It is tomorrow, or in two hours.
        case tomorrow, soon
        /// The question of how it was.
        case after
    }

    /// The next message and its time; nil if there is none.
    static func next(for start: Instant, after now: Instant, in zone: Zone) -> (call: Call, due: Instant)? {
        let (day, time) = zone.local(start)
        let schedule = Schedule(day: day, start: time, startsAt: start, endsAt: start + EventTimes.usual)
        let calls: [(call: Call, due: Instant)] = [
            (.tomorrow, Reminder.day.due(for: schedule, in: zone)),
            (.soon, Reminder.hours.due(for: schedule, in: zone)), (.after, start + afterwards),
        ]
        return calls.first { $0.due > now }
    }

    /// The message to send now, among those due; nil if it is too late.
    static func call(for start: Instant, at now: Instant, in zone: Zone) -> Call? {
        if now >= start + asked { return nil }
        if now >= start + afterwards { return .after }
        if now >= start { return nil }
        // After an interruption it may be the same day already.
        return zone.day(of: now) < zone.day(of: start) ? .tomorrow : .soon
    }

    /// How long after the start to ask how it was.
    static let afterwards = Duration.hours(2)
    /// How long to ask, and to store it.
    static let asked = Duration.days(14)
    static let memory = Duration.days(90)
    /// The latest possible time.
    static let farthest = Duration.days(90)

    /// There is an open meeting already.
    struct IsOpen: Error {}
    /// It has changed meanwhile.
    struct HasChanged: Error {}

    func isOpen(at now: Instant) -> Bool {
        switch state {
        case .proposed: times.contains { $0 > now }
        case .agreed: startsAt.map { $0 + Self.afterwards > now } ?? false
        case .declined, .canceled: false
        }
    }

    /// Whether to ask an account how it was.
    func asks(_ account: ID<Account>, at now: Instant) -> Bool {
        guard state == .agreed, let startsAt, startsAt + Self.afterwards <= now, startsAt + Self.asked > now else {
            return false
        }
        return answer(of: account) == nil
    }

    /// An account's answer.
    func answer(of account: ID<Account>) -> Again? { account == self.account ? again : otherAgain }

    func canCancel(at now: Instant) -> Bool {
        switch state {
        case .proposed: true
        case .agreed: startsAt.map { $0 > now } ?? false
        case .declined, .canceled: false
        }
    }

    /// The last of the proposed times, until which it can be answered.
    var lastTime: Instant { times.max() ?? Instant(milliseconds: 0) }

    var link: Link { Link.meeting(id) }
}

/// The form to propose a meeting.
struct MeetingForm: Form {
    var day1 = Day.distantPast
    var time1 = TimeOfDay.midnight
    var day2: Day?
    var time2: TimeOfDay?
    var day3: Day?
    var time3: TimeOfDay?
    var place = ""
    /// The reason for another time or place, after an agreement.
    var why: String?

    static let fields: [Field<MeetingForm>] = [
        .date("day_1", \.day1, "First day"), .time("time_1", \.time1, "At"),
        .date("day_2", \.day2, "Second day"), .time("time_2", \.time2, "At, on the second day"),
        .date("day_3", \.day3, "Third day"), .time("time_3", \.time3, "At, on the third day"),
        .text("place", \.place, "Where", 3...120).autocomplete("off")
            .hint("A public place: a park, a square, a dog run. Never a home the first time.")
            .missing("Say where, in public."),
        .text("why", \.why, "Why, in a line", 2...200).conditional.autocomplete("off"),
    ]

    /// - Parameter isChange: Whether another time was agreed before.
    func check(_ submission: inout Submission<MeetingForm>, isChange: Bool = false, at now: Instant, in zone: Zone) {
        if isChange, why == nil { submission.reject(\.why, "Say why, in a line.") }
        if (day2 == nil) != (time2 == nil) {
            submission.reject(\.day2, "Give the second day and its time, or neither.")
        }
        if (day3 == nil) != (time3 == nil) {
            submission.reject(\.day3, "Give the third day and its time, or neither.")
        }
        let all: [(PartialKeyPath<MeetingForm>, PartialKeyPath<MeetingForm>, Day?, TimeOfDay?)] = [
            (\.day1, \.time1, day1, time1), (\.day2, \.time2, day2, time2), (\.day3, \.time3, day3, time3),
        ]
        for (path, clock, day, typed) in all {
            guard let day, let typed, submission.accepts(path) else { continue }
            if let problem = EventTimes(day, from: typed, to: nil, in: zone).problem, submission.accepts(clock) {
                submission.reject(clock, problem.words)
            }
            let time = zone.instant(day, typed)
            if time <= now { submission.reject(path, "Choose a time that is still to come.") }
            if time > now + Meeting.farthest {
                submission.reject(path, "Choose a day within \(Meeting.farthest.inWords, as: "time").")
            }
        }
    }

    private func moment(_ day: Day?, _ time: TimeOfDay?, _ zone: Zone) -> Instant? {
        guard let day, let time else { return nil }
        return zone.instant(day, time)
    }

    /// The proposed times, without duplicates.
    func times(in zone: Zone) -> [Instant] {
        let all = [zone.instant(day1, time1), moment(day2, time2, zone), moment(day3, time3, zone)]
        return Array(Set(all.compactMap(\.self))).sorted()
    }
}

/// The form to cancel a meeting.
struct CallOffForm: Form {
    var reason = ""

    static let fields: [Field<CallOffForm>] = [
        .text("reason", \.reason, "Why, in a line", 2...200).autocomplete("off").missing("Say why, in a line.")
    ]
}

/// The form to say how a meeting was.
struct AfterForm: Form {
    var again = Meeting.Again.yes
    var note: String?

    static let fields: [Field<AfterForm>] = [
        .choice("again", \.again, "Would you meet again?", options: Meeting.Again.allCases.map { Choice($0, $0.name) })
            .drawn(as: .radios).missing("Choose one."),
        .area("note", \.note, "What was wrong", 1...1_000)
            .hint("Only those who run this site read it."),
    ]
}
