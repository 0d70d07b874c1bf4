import Forms

/// A change of an account's e-mail address: requested, made when the new address is confirmed, and undone from the old
/// one.
struct EmailChange: Sendable {
    let id: ID<EmailChange>
    let account: ID<Account>
    let oldEmail: String
    let newEmail: String
    let askedAt: Instant

    /// How long the old address can undo it.
    static let undoable = Duration.hours(72)
    /// How long the previous address is stored.
    static let memory = Duration.days(30)
}

/// A new address, for a member who knows the password.
struct EmailForm: Form {
    var email = ""
    var current = ""

    static let fields: [Field<EmailForm>] = [
        .email("email", \.email, "New e-mail address").missing("Give the new e-mail address."),
        .password("current_password", \.current, "Your password", atLeast: 1)
            .autocomplete("current-password").missing("Give your password."),
    ]
}

/// The password once more, before an important change.
struct AgainForm: Form {
    var current = ""

    static let fields: [Field<AgainForm>] = [
        .password("current_password", \.current, "Your password", atLeast: 1)
            .autocomplete("current-password").missing("Give your password.")
    ]
}
