import Forms

/// A form that an account sent, identified by its `once`. Sent again with the same content it has the first result;
/// with other content it is shown again, so that nothing written is silently discarded.
struct SentForm: Sendable {
    let once: String
    /// The address it was sent to: a page may have several forms with the same `once`.
    let path: String
    let digest: Int64

    /// How long it is recorded: no session lasts longer.
    static let memory = Session.absolute

    /// How long the same content by the same person about the same thing counts as a repetition: after Back, a browser
    /// may show what was just sent in a form with another `once`.
    static let echo: Duration = .minutes(10)

    /// The message if it was sent before and its result was removed.
    static let isGone: Words = """
        You already sent this form, and what it made was removed since. What you see here hasn’t been sent: send it \
        now to add it again.
        """

    /// The form was sent before with other content.
    struct HasOtherWords: CountsNothing {
        var words: Words =
            """
            You already sent this form with other words, and those were saved. What you see here hasn’t been sent: \
            send it now to add it, too.
            """
    }

    /// - Parameter pairs: Answers in addition to the form's fields.
    init(_ submission: Submission<some Form>, at path: String, beside pairs: [(name: String, value: String)] = []) {
        (once, self.path, digest) = (submission.once, path, submission.digest(beside: pairs))
    }
}
