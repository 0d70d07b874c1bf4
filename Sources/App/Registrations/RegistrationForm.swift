import Forms

/// Which children come.
struct RegistrationForm: Form {
    var children: [ID<Child>] = []

    static let fields: [Field<RegistrationForm>] = [
        .checkboxes("child", \.children, "Who is coming?", atLeast: 1).missing("Tick the children who come.")
    ]
}
