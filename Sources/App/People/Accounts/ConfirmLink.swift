/// A link that shows that letters to an address reach its account; only the hash of its token is stored.
struct ConfirmLink: Sendable {
    let account: ID<Account>
    /// The address that it was sent to.
    let email: String
    /// The change that makes it the account's; nil where it is that already.
    var change: ID<EmailChange>?

    static let lifetime = Duration.hours(24)
}
