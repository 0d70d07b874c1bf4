import Forms

/// A member of the site: an adult, with one hat, both or none.
struct Account: Sendable {
    let id: ID<Account>
    let email: String
    let username: String
    let role: Role
    let suspendedAt: Instant?
    /// When mail to the address was first known to reach the account.
    let confirmedAt: Instant?
    /// Since when the member waits to be let in; nil for everyone else.
    var waitsSince: Instant?
    /// The problem with mail to the address; nil if none is known.
    var bounce: Bounce?

    var isStaff: Bool { role.isStaff }

    /// Whether confirming the address by a link would tell something new.
    var needsProof: Bool { confirmedAt == nil || bounce != nil }

    /// User names that could be mistaken for the site or a part of it.
    static let reservedNames: Set<String> = [
        "account", "accounts", "administrator", "anonymous", "contact", "events", "everyone", "healthz", "kindness",
        "moderator", "playdates", "privacy", "provider", "providers", "registrations", "security", "settings",
        "support", "system", "timeline", "village", "welcome", "webmaster", "postmaster", "hostmaster",
    ]

    /// An error message for a user name in lowercase; nil if it is fine.
    ///
    /// ACC-07: more than five characters.
    static func problem(withUsername name: String) -> Words? {
        guard isPlain(name) else {
            guard let other = plainName(like: name) else {
                return "Use only letters from a to z, numbers, - and _ in the user name."
            }
            return "Use only letters from a to z, numbers, - and _ in the user name, such as “\(other, as: "name")”."
        }
        guard (6...30).contains(name.utf8.count) else { return "Choose a user name of 6 to 30 characters." }
        return reservedNames.contains(name) || name.hasPrefix(Account.formerPrefix)
            ? "This user name is kept for the site itself. Choose another one." : nil
    }

    /// A user name made of the letters and digits of what was typed, `ana-ortiz` for `ana.ortiz`; nil if nobody could
    /// choose it. Of a mail address it takes what is before the @.
    static func plainName(like typed: String) -> String? {
        let words = typed.prefix { $0 != "@" }.split { !$0.isLetter && !$0.isNumber }
        let name = String(words.map { folded(String($0)) }.joined(separator: "-").prefix(30))
        return isPlain(name) && problem(withUsername: name) == nil ? name : nil
    }

    private static func isPlain(_ username: String) -> Bool {
        username.utf8.allSatisfy {
            (97...122).contains($0) || (48...57).contains($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
        }
    }

    /// An error message for a new password; nil if it is fine. Any Unicode is allowed, including spaces.
    static func problem(
        withPassword password: String, email: String = "", username: String = "", guessed: GuessedFirst
    ) -> Words? {
        let password = TypedPassword(password).canonical
        if password.count < 10 { return "Choose a password of at least 10 characters. A few words in a row are good." }
        if password.utf8.count > 1_024 { return "Choose a shorter password: at most 1,024 bytes." }
        let plain = password.lowercased()
        if guessed.common.contains(plain) {
            return "Many people use this password, so it is guessed first. Choose another one."
        }
        return guessed.isMadeOfWords(password, and: [email, username])
            ? "This password is made of words that are known here, such as names. Choose another one." : nil
    }

    /// How long nobody can take the user name of a member who left: a link to them must not lead to another person.
    static let nameRest = Duration.days(365)

    /// The name of a former member: a user name that nobody can choose.
    static func formerName(of account: ID<Account>) -> String { "\(formerPrefix)\(account)" }

    /// The beginning of such names.
    static let formerPrefix = "former-member-"
}

/// The sender of a request: the session's account and its data.
struct Visitor: Sendable {
    let session: ID<Session>
    /// When the session ends by itself, unless it is used.
    let end: Instant
    /// The secret for the CSRF tokens on the session's pages.
    let csrf: [UInt8]
    /// The current hat.
    let hat: Hat?
    let account: ID<Account>
    /// The account under which the children are registered: another parent's who shares them, or their own.
    let head: ID<Account>
    /// The organization they look after: as a colleague another account's, or their own.
    let host: ID<Account>
    /// Their duty there; nil without an organization.
    let duty: Colleague.Duty?
    let username: String
    /// The number of unread notices.
    let unread: Int
    /// Their mail address, and whether mail arrives.
    let email: String
    let reach: MailReach
    /// The deadline for staff to set up two-step log-in; nil once they have it, and for others.
    let twoStepBy: Instant?
    /// The position of the staff log at the time of the request; nil for others. Staff forms carry it.
    let staffLog: Int64?
    let preferences: Preferences
    /// Until when staff restricted them to reading.
    let limitedUntil: Instant?
    /// Whether they signed up and aren't let in yet.
    let isWaiting: Bool
    /// Whether they said that they are neither parent nor provider.
    let isNeighbor: Bool
    let createdAt: Instant
    let role: Role
    let seenAt: Instant
    let family: FamilyBadge?
    let provider: ProviderBadge?
    /// The member's own picture.
    let own: Portrait?

    struct FamilyBadge: Sendable {
        /// The family whose children they look after: another parent's who shares them, or their own.
        let id: ID<Family>
        let firstName: String
        let city: String
        let zip: String
        let country: String
    }

    struct ProviderBadge: Sendable {
        let id: ID<Provider>
        let organization: String
        let portrait: Portrait?
    }

    /// Whether to show the switch of hats: to all except neighbors without a profile.
    var hasSwitch: Bool { !isNeighbor || family != nil || provider != nil }
    /// Whether they are staff: moderators or admins.
    var isStaff: Bool { role.isStaff }
    /// Whether they are an admin.
    var isAdmin: Bool { role == .admin }

    var name: String { family?.firstName ?? username }

    /// The organization whose name and picture represent the visitor, if they are here only for their own organization.
    /// Colleagues keep their own.
    private var face: ProviderBadge? { family == nil && host == account ? provider : nil }

    /// One or two initials for the header, under either hat.
    var initials: String {
        (family?.firstName ?? face?.organization ?? username).initials()
    }

    /// The visitor's picture, under either hat.
    var portrait: Portrait? { own ?? face?.portrait }

    var isParent: Bool { hat == .parent }
    var isProvider: Bool { hat == .provider }

    /// The account for which they act: under the provider's hat the organization they look after, otherwise themselves.
    var acting: ID<Account> { isProvider && provider != nil ? host : account }

    /// The member whose co-hosted events are listed together with those they act for; nil while they look after an
    /// organization.
    var hostingAlso: ID<Account>? { acting == account ? account : nil }

    /// Whether they only see who comes to the organization's events, and nothing else of it.
    var onlyLooks: Bool { isProvider && duty == .roster }

    /// The account as which they edit: a colleague with read-only duty edits only their own things.
    var editing: ID<Account> { onlyLooks ? account : acting }

    func has(_ hat: Hat) -> Bool { hat == .parent ? family != nil : provider != nil }
}
