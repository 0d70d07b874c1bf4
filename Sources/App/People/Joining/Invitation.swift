import Forms
import Templating

/// A link with which a member's acquaintance signs up; only its token's hash is stored.
struct Invitation: Sendable {
    let id: ID<OneTimeLink>
    /// The member's note about the recipient.
    let whom: String
    let expiresAt: Instant

    static let lifetime = Duration.days(14)
    /// The most open invitations per member.
    static let most = 5
    /// The most open ones that ask for a kind act.
    static let mostChallenges = 20

    /// An invitation that can be used.
    struct Open: Sendable {
        let id: ID<OneTimeLink>
        let inviter: ID<Account>
        /// The inviter's name.
        let name: String
        /// The account of the tree under which it is placed; nil if staff invite.
        let branch: ID<Account>?
        let isByStaff: Bool
        /// Whether it also asks for a kind act.
        let isChallenge: Bool
        /// Whether the site itself invites, and not one of its members.
        let isBySite: Bool
    }

    /// The limit is reached.
    struct TooMany: Error {}

    /// A member's name for friends: the first word of their display name. It appears in letters to people who don't
    /// know this site, so a word that could become a link isn't used.
    static func firstName(_ name: String) -> String {
        let first = name.split(whereSeparator: \.isWhitespace).first.map { String($0.prefix(30)) } ?? ""
        return first.isEmpty || first.contains("/") || Newcomer.hasLink(first) ? "–" : first
    }
}

struct InvitationForm: Form {
    var whom: String?

    static let fields: [Field<InvitationForm>] = [
        .text("whom", \.whom, "For whom", 1...60).autocomplete("off")
            .hint("Only you see it, so that you know which link is whose.")
    ]
}

/// `/me/invitations`.
struct InvitationsPage: Sendable {
    let open: [Row]
    let joining: Joining
    /// The link that was just made.
    var link: String?

    struct Row: Sendable {
        let invitation: Invitation
        let until: Words
    }

    var hasRoom: Bool { open.count < Invitation.most }
}

/// A member's inviter and the people they invited, for staff.
struct InvitationTree: Sendable {
    let inviter: Leaf?
    let invited: [Leaf]

    struct Leaf: Sendable {
        let account: ID<Account>
        let username: String
        let since: Words
        let isSuspended: Bool
        var link: Link { Link.desk(of: account) }
    }

    /// The most people shown.
    static let limit = 50
}
