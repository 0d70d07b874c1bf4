import Forms
import Templating

/// Somebody who may log in with the account that they have at the issuer, the one place elsewhere that an operator
/// named: one of the people who run the site, or of those who look after an organization.
///
/// An admin writes down who may, and the role, which nothing that the issuer says can change. Families never do: what
/// is here about children hangs on no account elsewhere.
struct OutsideLogIn: Sendable {
    let account: ID<Account>
    let username: String
    let role: Role
    /// The address that they have confirmed here, and that the issuer has to have made sure of as well.
    let email: String
    /// The admin who wrote it down; nil of one who left.
    let staff: String?
    let at: Instant
    /// When they came that way for the first time: from then on they are known by what the issuer calls them, not by
    /// the address.
    let firstAt: Instant?

    /// Why somebody doesn't come in that way.
    enum Barrier: Error {
        /// Nobody wrote down that they may.
        case unknown
        /// It is a family's account.
        case family
    }

    /// Why an admin can't let somebody log in that way.
    enum Unsuitable: Error, CaseIterable {
        /// Nobody has confirmed this address.
        case nobody
        /// It is a family's account.
        case family
        /// It is neither staff's nor an organization's.
        case neither
        /// They may already.
        case already
        /// An address that changed since is on the list: theirs, or that of somebody who had this one before.
        case outdated
        /// One's own role is for others to change.
        case ownRole

        var words: Words {
            switch self {
            case .nobody: "Nobody here has confirmed this address. They sign up first, and open the link in the letter."
            case .family: "This is a family’s account. Families log in with their own password."
            case .neither: "They need a role, or an organization in their profile, first."
            case .already: "They can log in that way already."
            case .outdated:
                "The list has an older address, theirs or of somebody who had this one. End that log-in first."
            case .ownRole: "This is you: choose the role you have, or ask another admin."
            }
        }
    }
}

/// A log-in at the issuer that a browser began, as the browser's cookie holds it.
struct OutsideAttempt: Sendable {
    /// What its secrets follow from.
    let token: Token
    let begunAt: Instant
    /// Where it goes on after that; empty for the start.
    let next: String

    static let lifetime = Duration.minutes(10)
    /// How far the clocks of two nodes may be apart.
    static let leeway = Duration.minutes(1)
    static let purpose = "elsewhere"
    /// The longest way on that is kept, in bytes.
    static let longestNext = 1_000
}

/// Another member who may log in with an account elsewhere from now on, and the role.
struct OutsideLogInForm: Form {
    var email = ""
    var role = Role.member
    var reason = ""
    var password = ""

    static let fields: [Field<OutsideLogInForm>] = [
        .email("email", \.email, "E-mail address").autocomplete("off")
            .hint("The one of their account here, which they have confirmed, and the same elsewhere.")
            .missing("Give the e-mail address."),
        .choice("role", \.role, "Role", options: Role.allCases.map { Choice($0, $0.name, detail: $0.detail) })
            .drawn(as: .radios),
        .reason(\.reason),
        .ownPassword(\.password),
    ]
}

/// The end of it.
struct OutsideEndForm: Form {
    var reason = ""
    var password = ""

    static let fields: [Field<OutsideEndForm>] = [
        .reason(\.reason),
        .ownPassword(\.password),
    ]
}

/// `/admin/log-ins`.
struct OutsideLogInsPage: Sendable {
    let rows: [Row]
    let more: Link?

    struct Row: Sendable {
        let item: OutsideLogIn
        let since: Words
        /// Nil of somebody who hasn't come that way yet.
        let first: Words?
    }
}
