import Forms
import Templating

/// A link with which somebody a member knows signs up; only the hash of its token is stored.
struct Invitation: Sendable {
    let id: ID<OneTimeLink>
    /// For whom it is, as its member noted it.
    let whom: String
    let expiresAt: Instant

    static let lifetime = Duration.days(14)
    /// The most of one member that may be open at a time.
    static let most = 5

    /// An invitation that can be taken up.
    struct Open: Sendable {
        let id: ID<OneTimeLink>
        let inviter: ID<Account>
        /// What the inviter calls themselves.
        let name: String
        /// Below which account of the tree it hangs; nil where those who run the site invite.
        let branch: ID<Account>?
        let isByStaff: Bool
        /// Whether it asks for something kind, too.
        let isChallenge: Bool
    }

    /// There are as many as may be.
    struct TooMany: Error {}
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
    /// The link of the one that was made just now.
    var link: String?

    struct Row: Sendable {
        let invitation: Invitation
        let until: Words
    }

    var hasRoom: Bool { open.count < Invitation.most }
}

/// The inviter of somebody and those they invited, for those who run the site.
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

    /// The most that are shown.
    static let limit = 50
}
