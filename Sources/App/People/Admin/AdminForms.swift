import Forms

/// Something staff does to an account or an event, and why.
struct ReasonForm: Form {
    var act = ""
    var reason = ""

    static let fields: [Field<ReasonForm>] = [
        .text("act", \.act, "What to do", 1...20),
        .text("reason", \.reason, "Reason", 3...300)
            .hint("It is written to the log that all staff can read.").autocomplete("off")
            .missing("Give a reason, so that others understand it later."),
    ]
}
