import Forms

/// Another e-mail address for an account: asked for, made when the new one is confirmed, and undone from the old one.
struct EmailChange: Sendable {
    let id: ID<EmailChange>
    let account: ID<Account>
    let oldEmail: String
    let newEmail: String
    let askedAt: Instant

    /// How long the old address can undo it.
    static let undoable = Duration.hours(72)
    /// How long it is known what the address was before.
    static let memory = Duration.days(30)
}

/// Another address, by somebody who knows the password.
struct EmailForm: Form {
    var email = ""
    var current = ""

    static let fields: [Field<EmailForm>] = [
        .email("email", \.email, "New e-mail address").missing("Give the new e-mail address."),
        .password("current_password", \.current, "Your password", atLeast: 1)
            .autocomplete("current-password").missing("Give your password."),
    ]
}

/// The password once more, before something that matters.
struct AgainForm: Form {
    var current = ""

    static let fields: [Field<AgainForm>] = [
        .password("current_password", \.current, "Your password", atLeast: 1)
            .autocomplete("current-password").missing("Give your password.")
    ]
}
