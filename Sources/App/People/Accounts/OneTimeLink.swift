import Forms
import Templating

/// A one-time link as stored; only its token's hash is stored.
struct OneTimeLink: Sendable {
    let id: ID<OneTimeLink>
    let kind: Kind
    /// The account it belongs to; for an invitation, the inviting member.
    let account: ID<Account>
    /// Details of the kind: the address to confirm, a colleague's duty, a note about the recipient.
    let detail: String
    /// The address change that it makes.
    let change: ID<EmailChange>?
    let expiresAt: Instant

    enum Kind: String, Sendable {
        /// Sets a new password.
        case reset
        /// Confirms an account's address, or makes another address the account's.
        case confirm, change
        /// Invites the other parent, a colleague, or anyone to the site.
        case guardian, colleague, invitation
        /// Asks a friend for a kind act, and invites them to the site.
        case challenge
        /// Invites somebody from a list that an admin brought.
        case siteInvitation = "site_invitation"
        /// Kinds with their own tables: creating the first admin, restoring an old address, and asking a young person's
        /// parent.
        case setup, undo, young
    }
}

/// The current state of a one-time link.
enum LinkState<Opens: Sendable>: Sendable {
    case open(Opens)
    case ended(LinkEnd)

    /// The value that it opens.
    ///
    /// - Throws: `LinkEnd`.
    func opened() throws(LinkEnd) -> Opens {
        switch self {
        case .open(let value): return value
        case .ended(let end): throw end
        }
    }

    /// The same state for a value made from what it opens; nil if there is none.
    func opening<Other>(_ make: (Opens) throws -> Other?) rethrows -> LinkState<Other>? {
        switch self {
        case .open(let value): try make(value).map { .open($0) }
        case .ended(let end): .ended(end)
        }
    }
}
