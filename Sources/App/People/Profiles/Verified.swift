import Forms

/// The verification of an organization by an admin: what was checked, and until when it is valid. It expires
/// automatically.
struct Verified: Sendable, Equatable {
    /// Such as “its registration as a charity, and a call to its office”.
    let checked: String
    let at: Instant
    let until: Instant

    /// How long before the end a reminder is sent.
    static let notice = Duration.days(14)

    func holds(at now: Instant) -> Bool { now < until }

    /// The last day on which it is valid.
    func day(in zone: Zone) -> Day { zone.day(of: until - .milliseconds(1)) }
}

/// What an admin checked, and until when it is valid.
struct VerifiedForm: Form {
    var checked = ""
    var until: Day?

    static let fields: [Field<VerifiedForm>] = [
        .text("checked", \.checked, "What was checked", 3...200).autocomplete("off")
            .hint("Everybody reads it. Such as: its entry in the state’s list of charities, and a call to its office.")
            .missing("Say what was checked: everybody reads it."),
        .date("until", \.until, "Until").hint("At most two years ahead. Then the mark goes by itself."),
    ]

    init() {}

    init(_ verified: Verified?, in zone: Zone, today: Day) {
        checked = verified?.checked ?? ""
        until = verified.map { max($0.day(in: zone), today) } ?? today.advanced(by: 365)
    }

    /// The verification, valid to the end of the last day.
    func verified(at now: Instant, in zone: Zone) -> Verified? {
        until.map { Verified(checked: checked, at: now, until: zone.instant($0.advanced(by: 1), .midnight)) }
    }

    func check(_ submission: inout Submission<VerifiedForm>, today: Day) {
        guard submission.accepts(\.until) else { return }
        guard let until else { return submission.reject(\.until, "Say until when it counts.") }
        if until < today { submission.reject(\.until, "This day is over. Choose today or a later one.") }
        if until > today.advanced(by: 731) { submission.reject(\.until, "Choose a day within two years.") }
    }
}
