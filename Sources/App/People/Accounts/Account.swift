import Forms

/// Somebody who may act on the site: an adult, under one hat or both.
struct Account: Sendable {
    let id: ID<Account>
    let email: String
    let username: String
    let role: Role
    let suspendedAt: Instant?
    /// When it was shown that letters to the address reach the account.
    let confirmedAt: Instant?
    /// Since when they wait to be let in; nil of everybody else.
    var waitsSince: Instant?
    /// What is known of letters to the address that don’t arrive; nil while they do, as far as anybody knows.
    var bounce: Bounce?

    var isStaff: Bool { role.isStaff }

    /// Whether a link in a letter would tell something new: whether letters arrive, or do again.
    var needsProof: Bool { confirmedAt == nil || bounce != nil }

    /// User names that would be mistaken for the site itself, or for a part of it.
    static let reservedNames: Set<String> = [
        "account", "accounts", "administrator", "anonymous", "contact", "events", "everyone", "healthz", "kindness",
        "moderator", "playdates", "privacy", "provider", "providers", "registrations", "security", "settings",
        "support", "system", "timeline", "village", "welcome", "webmaster", "postmaster", "hostmaster",
    ]

    /// What is wrong with a user name, in lower case; nil for a good one.
    ///
    /// ACC-07: more than five characters.
    static func problem(withUsername name: String) -> Words? {
        let isPlain = name.utf8.allSatisfy {
            (97...122).contains($0) || (48...57).contains($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
        }
        guard isPlain else { return "Use only letters from a to z, numbers, - and _ in the user name." }
        guard (6...30).contains(name.utf8.count) else { return "Choose a user name of 6 to 30 characters." }
        return reservedNames.contains(name) || name.hasPrefix(Leaving.prefix)
            ? "This user name is kept for the site itself. Choose another one." : nil
    }

    /// What is wrong with a new password; nil for a good one. Any Unicode counts, spaces too.
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
}

/// The sender of a request: the account behind the session and what it has.
struct Visitor: Sendable {
    let session: ID<Session>
    /// The secret behind the CSRF tokens of the session's pages.
    let csrf: [UInt8]
    /// The hat in use.
    let hat: Hat?
    let account: ID<Account>
    /// Under which account the children are registered: another parent's who shares them, or their own.
    let head: ID<Account>
    /// The organization they look after: another account's whose colleague they are, or their own.
    let host: ID<Account>
    /// What they do for it; nil without an organization.
    let duty: Colleague.Duty?
    let username: String
    /// How many notices in the inbox are unread.
    let unread: Int
    /// Where letters to them go, and whether they arrive.
    let email: String
    let reach: MailReach
    /// When staff must have a second step to log in; nil once they have it, and for others.
    let twoStepBy: Instant?
    /// How far the log of staff had come when the request came in; nil for others. Their forms carry it.
    let staffLog: Int64?
    let preferences: Preferences
    /// Until when they may only read, by a decision of staff.
    let limitedUntil: Instant?
    /// Whether they signed up and aren't let in yet.
    let isWaiting: Bool
    /// Whether they said that they are here as neither parent nor provider.
    let isNeighbor: Bool
    let createdAt: Instant
    let role: Role
    let seenAt: Instant
    let family: FamilyBadge?
    let provider: ProviderBadge?
    /// The picture they gave of themselves.
    let own: Portrait?

    struct FamilyBadge: Sendable {
        /// The family whose children one looks after: another parent's who shares them, or one's own.
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

    /// Whether the switch of hats is of use: to all but a neighbor without a profile for either.
    var hasSwitch: Bool { !isNeighbor || family != nil || provider != nil }
    /// Whether they look after the site.
    var isStaff: Bool { role.isStaff }
    /// Whether they run it, too.
    var isAdmin: Bool { role == .admin }

    var name: String { family?.firstName ?? username }

    /// The organization whose name and picture are the visitor's own: of members who are here for their own one alone.
    /// Others act for one, and stay themselves.
    private var face: ProviderBadge? { family == nil && host == account ? provider : nil }

    /// One or two letters that stand for the visitor in the header, under either hat.
    var initials: String {
        let words = family?.firstName ?? face?.organization ?? username
        return words.split { !$0.isLetter && !$0.isNumber }.prefix(2).compactMap(\.first).map { $0.uppercased() }
            .joined()
    }

    /// The picture of the visitor, under either hat.
    var portrait: Portrait? { own ?? face?.portrait }

    var isParent: Bool { hat == .parent }
    var isProvider: Bool { hat == .provider }

    /// For whom they act: under the provider's hat the organization they look after, else themselves.
    var acting: ID<Account> { isProvider && provider != nil ? host : account }

    /// The member whose co-hosted events stand among those they act for: themselves, and nobody while they look after
    /// an organization.
    var hostingAlso: ID<Account>? { acting == account ? account : nil }

    /// Whether they see who comes to what the organization announces, and nothing else of it.
    var onlyLooks: Bool { isProvider && duty == .roster }

    /// The account they change things as: a colleague who only looks changes nothing but their own.
    var editing: ID<Account> { onlyLooks ? account : acting }

    func has(_ hat: Hat) -> Bool { hat == .parent ? family != nil : provider != nil }
}
