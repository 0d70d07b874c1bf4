import Forms
import Templating

/// A person without an account whom a host added by hand, at the desk or by phone, to a place at an event or in a
/// shift, until a member takes the place over with the code on the slip.
struct Guest: Sendable {
    let id: ID<Guest>
    let name: String
    /// In years, as stated; nil for an adult.
    let age: Int?
    let phone: String?
    let code: String
    let seat: Seat
    /// Whether the host removed them from the list.
    let isOff: Bool
    /// Since when there has been a change that the host hasn’t told them about.
    let untoldSince: Instant?
    /// Whether their organization noted that they didn’t come to their shift.
    let isMissed: Bool

    /// The place.
    enum Seat: Sendable {
        case event(ID<Registration>)
        case shift(ID<Shift>)
    }

    /// There is no free place, or the event or shift is over or was canceled.
    struct NoRoom: Error {}

    static let codeLength = 10

    /// How long after a shift those who helped without a word before are still added: on the day after, or when the
    /// paper list is back.
    static let afterwards: Duration = .days(7)

    var spelled: String { PrintedCode.spelled(code) }
    var ageWords: Words? { age.map(Self.words) }

    /// The form's value for “Told”: later changes must be told again.
    var untold: String { untoldSince.map { "\($0.milliseconds)" } ?? "" }

    /// A sentence about guests, who get no letters; nil if there are none.
    static func words(counting count: Int) -> Words? {
        guard count > 0 else { return nil }
        return Words(
            "{count} person added by hand has no account: please call them.",
            plural: "{count} people added by hand have no account: please call them.", count: count)
    }

    /// An age in words: `4 years`.
    static func words(_ age: Int) -> Words { Words("{count} year", plural: "{count} years", count: age) }
}

extension Event {
    /// Whether its host can add guests: until it is over, even if registration isn’t open.
    func takesGuests(at now: Instant) -> Bool { !isCancelled && !hasSessions && !isOver(at: now) }
}
