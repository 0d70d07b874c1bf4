/// A link that shows that letters to an address reach its account; only the hash of its token is stored.
struct ConfirmLink: Sendable {
    let account: ID<Account>
    /// The address it was sent to.
    let email: String
    /// The change to that address; nil if it is the account's address already.
    var change: ID<EmailChange>?

    static let lifetime = Duration.hours(24)
}
