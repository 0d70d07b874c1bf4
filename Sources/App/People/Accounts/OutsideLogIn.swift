import Forms
import Templating

/// A member who may log in with their account at the external issuer that the operator set up: staff, or somebody who
/// looks after an organization.
///
/// An admin decides who may, and their role; the issuer's claims can't change it. Families never can: data about
/// children must not depend on an external account.
struct OutsideLogIn: Sendable {
    let account: ID<Account>
    let username: String
    let role: Role
    /// The address that the member confirmed here; the issuer must have confirmed it, too.
    let email: String
    /// The admin who added the entry; nil if that admin left.
    let staff: String?
    let at: Instant
    /// When they first logged in that way: from then on they are identified by the issuer's subject, not by the
    /// address.
    let firstAt: Instant?

    /// The reasons why an external log-in is refused.
    enum Barrier: Error {
        /// There is no entry for the person.
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
        /// The list contains an address that has changed since: this member's, or that of somebody who had this address
        /// before.
        case outdated
        /// An admin can't change their own role.
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

/// A log-in at the issuer that a browser began, stored in the browser's cookie.
struct OutsideAttempt: Sendable {
    /// The token from which its secrets are derived.
    let token: Token
    let begunAt: Instant
    /// Where to continue afterwards; empty for the start page.
    let next: String

    static let lifetime = Duration.minutes(10)
    /// How far two nodes' clocks may differ.
    static let leeway = Duration.minutes(1)
    static let purpose = "elsewhere"
    /// The longest `next` stored, in bytes.
    static let longestNext = 1_000
}

/// A member to allow external log-in for, and the role.
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

/// The form to remove an entry.
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
        /// Nil if they haven't logged in that way yet.
        let first: Words?
    }
}
