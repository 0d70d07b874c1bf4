import Forms

extension Field {
    /// The reason for a staff action, for the log that all staff can read.
    static func reason(
        _ path: Path<String>, _ label: Words = "Reason",
        missing: Words = "Give a reason, so that others understand it later."
    ) -> Self {
        .text("reason", path, label, 3...300).hint("It is written to the log that all staff can read.")
            .autocomplete("off").missing(missing)
    }

    /// The admin's own password, for actions that nobody else should perform on their device.
    static func ownPassword(_ path: Path<String>) -> Self {
        .password("current_password", path, "Your own password", atLeast: 1).autocomplete("current-password")
            .missing("Give your own password, so that nobody else does this with your device.")
    }
}

/// Another address for a member whom mail doesn't reach, as given to an admin.
struct AddressForm: Form {
    var email = ""
    var reason = ""
    var password = ""

    static let fields: [Field<AddressForm>] = [
        .email("email", \.email, "New e-mail address").autocomplete("off").missing("Give the new e-mail address."),
        .reason(\.reason, "How you know that it is theirs", missing: "Say how you know that it is theirs."),
        .ownPassword(\.password),
    ]
}

/// The reason for a staff action on an account or content.
struct ReasonForm: Form {
    var reason = ""

    static let fields: [Field<ReasonForm>] = [
        .reason(\.reason)
    ]
}
