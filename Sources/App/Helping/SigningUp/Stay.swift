import Templating

/// Somebody's help whose hours the organization confirms, in a shift or without one: of a member who signed up, or of a
/// guest without an account whom the organization added to the shift.
struct Stay: Sendable {
    let holder: Holder
    /// Nil for a guest.
    let account: ID<Account>?
    let opportunity: ID<Opportunity>
    let title: String
    let kind: Opportunity.Kind
    let host: ID<Account>
    let hostName: String
    /// Nil if the times are as agreed.
    let shift: Shift?
    /// The time zone of the place.
    let zone: String
    /// Whether they had a place.
    let isHeld: Bool

    /// The sign-up or the guest that holds the place.
    enum Holder: Sendable, Hashable {
        case signup(ID<Signup>)
        case guest(ID<Guest>)

        /// Parses the name in a form of hours; nil for anything else.
        init?(typed: some StringProtocol) {
            if typed.first == "g" {
                guard let id = ID<Guest>(String(typed.dropFirst())) else { return nil }
                self = .guest(id)
            } else {
                guard let id = ID<Signup>(String(typed)) else { return nil }
                self = .signup(id)
            }
        }

        /// The name in a form of hours.
        var typed: String {
            switch self {
            case .signup(let id): "\(id)"
            case .guest(let id): "g\(id)"
            }
        }

        var signup: ID<Signup>? { if case .signup(let id) = self { id } else { nil } }
        var guest: ID<Guest>? { if case .guest(let id) = self { id } else { nil } }
    }

    /// The most minutes that can be reported or confirmed for a day.
    var mostMinutes: Int { shift?.minutes ?? Self.mostOfDay }

    /// The same without a shift.
    static let mostOfDay = 12 * 60

    /// Whether the helper can report hours.
    func canSayHours(at now: Instant) -> Bool { isHeld && (shift.map { $0.endsAt <= now } ?? true) }

    /// Whether a day's confirmed hours can be corrected: as long as hours of a shift can be confirmed.
    func canCorrect(_ day: Day, at now: Instant) -> Bool {
        let past = now - Memory.past
        return shift.map { $0.endsAt > past } ?? (day > Zone(stored: zone).day(of: past))
    }

    /// The organization's page about it.
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
