import Forms

/// Another address for somebody whom letters don't reach, as they gave it to an admin.
struct AddressForm: Form {
    var email = ""
    var reason = ""
    var password = ""

    static let fields: [Field<AddressForm>] = [
        .email("email", \.email, "New e-mail address").autocomplete("off").missing("Give the new e-mail address."),
        .text("reason", \.reason, "How you know that it is theirs", 3...300)
            .hint("It is written to the log that all staff can read.").autocomplete("off")
            .missing("Say how you know that it is theirs."),
        .password("current_password", \.password, "Your own password", atLeast: 1)
            .autocomplete("current-password")
            .missing("Give your own password, so that nobody else does this with your device."),
    ]
}

/// Why staff does something to an account or to what somebody wrote.
struct ReasonForm: Form {
    var reason = ""

    static let fields: [Field<ReasonForm>] = [
        .text("reason", \.reason, "Reason", 3...300)
            .hint("It is written to the log that all staff can read.").autocomplete("off")
            .missing("Give a reason, so that others understand it later.")
    ]
}
