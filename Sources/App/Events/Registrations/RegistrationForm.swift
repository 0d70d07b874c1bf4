import Forms

/// Which children come.
struct RegistrationForm: Form {
    var children: [ID<Child>] = []
    /// Whether the provider sees the notes about these children around the event.
    var sharesNotes = false

    static let fields: [Field<RegistrationForm>] = [
        .checkboxes("child", \.children, "Who is coming?", atLeast: 1).missing("Tick the children who come."),
        .checkbox("share_notes", \.sharesNotes, "Share my notes for this event")
            .hint(
                "Allergies, emergency phone and who may collect: seen from 2 days before to 1 day after, then erased."),
    ]
}
