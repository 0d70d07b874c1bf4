import Templating

/// Somebody's help in a shift, or in what has none, whose hours its organization confirms: that of a member who signed
/// up, or that of somebody without an account whom the organization added to the shift.
struct Stay: Sendable {
    let holder: Holder
    /// Nil of somebody without an account.
    let account: ID<Account>?
    let opportunity: ID<Opportunity>
    let title: String
    let kind: Opportunity.Kind
    let host: ID<Account>
    let hostName: String
    /// Nil where it is as agreed.
    let shift: Shift?
    /// The time zone of its clock.
    let zone: String
    /// Whether the place was theirs.
    let isHeld: Bool

    /// The place that somebody helps in.
    enum Holder: Sendable, Hashable {
        case signup(ID<Signup>)
        case guest(ID<Guest>)

        /// Nil for anything that a form of hours doesn't call somebody.
        init?(typed: some StringProtocol) {
            if typed.first == "g" {
                guard let id = ID<Guest>(String(typed.dropFirst())) else { return nil }
                self = .guest(id)
            } else {
                guard let id = ID<Signup>(String(typed)) else { return nil }
                self = .signup(id)
            }
        }

        /// As a form of hours calls them.
        var typed: String {
            switch self {
            case .signup(let id): "\(id)"
            case .guest(let id): "g\(id)"
            }
        }

        var signup: ID<Signup>? { if case .signup(let id) = self { id } else { nil } }
        var guest: ID<Guest>? { if case .guest(let id) = self { id } else { nil } }
    }

    /// No more than this is said or confirmed of a day, in minutes.
    var mostMinutes: Int { shift?.minutes ?? Self.mostOfDay }

    /// Of a day without a shift.
    static let mostOfDay = 12 * 60

    /// Whether one can say how long it took.
    func canSayHours(at now: Instant) -> Bool { isHeld && (shift.map { $0.endsAt <= now } ?? true) }

    /// Whether what was confirmed of a day can be corrected: as long as hours of a shift can be confirmed.
    func canCorrect(_ day: Day, at now: Instant) -> Bool {
        let past = now - Memory.past
        return shift.map { $0.endsAt > past } ?? (day > Zone(stored: zone).day(of: past))
    }

    /// Where its organization reads of it.
    var roster: Link { .opportunity(opportunity) / "signups" }
}

extension Stay {
    init(_ signup: Signup) {
        self.init(
            holder: .signup(signup.id), account: signup.account, opportunity: signup.opportunity, title: signup.title,
            kind: signup.kind, host: signup.host, hostName: signup.hostName, shift: signup.shift, zone: signup.zone,
            isHeld: signup.state == .confirmed)
    }
}
