import Forms

/// The children to register.
struct RegistrationForm: Form {
    var children: [ID<Child>] = []
    /// What to do if there aren't enough places.
    var manner: Registration.Manner?
    /// Whether they wait if there is no room.
    var waits = false
    /// Whether the family needs help with the fee: only for the host, if places are held for that purpose.
    var needsHelp = false
    /// Whether the provider may see the notes about these children around the time of the event.
    var sharesNotes = false

    static let fields: [Field<RegistrationForm>] = [
        .checkboxes("child", \.children, "Who is coming?", atLeast: 1).missing("Choose the children who come."),
        .choice("as", \.manner, "If there aren’t places for all of them", options: Registration.Manner.choices)
            .drawn(as: .radios).conditional,
        .checkbox("wait", \.waits, "Wait until there is room"),
        .checkbox("needs_help", \.needsHelp, "We need help with the fee")
            .hint("Only the host sees this. Where a place is held for it, you have that one if the others are gone."),
        .checkbox("share_notes", \.sharesNotes, "Share my notes for this event")
            .hint(
                "Allergies, emergency phone and who may pick up: seen from 2 days before to 1 day after, then erased."),
    ]
}

/// The children to register for dates of a series.
struct TermForm: Form {
    var children: [ID<Child>] = []
    var dates: [ID<Event>] = []
    /// Dates that were given back and are wanted again.
    var again: [ID<Event>] = []
    /// Whether they wait at dates without room.
    var waits = false
    /// Whether the provider may see the notes about these children around the time of each date.
    var sharesNotes = false

    static let fields: [Field<TermForm>] = [
        .checkboxes("child", \.children, "Who is coming?", atLeast: 1).missing("Choose the children who come."),
        .checkboxes("dates", \.dates, "On which dates?", atLeast: 1).missing("Choose the dates on which they come."),
        .checkboxes("again", \.again, "Dates you gave back: which of them again?"),
        .checkbox("wait", \.waits, "Wait until there is room"),
        .checkbox("share_notes", \.sharesNotes, "Share my notes for these dates")
            .hint(
                "Allergies, emergency phone and who may pick up: seen from 2 days before to 1 day after, then erased."),
    ]
}
