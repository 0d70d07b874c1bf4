import Forms

/// A form that an account sent, by its `once`: sent again with the same words it is the same, and has the first result;
/// with other words it comes back, so that nobody's words are thrown away in silence.
struct SentForm: Sendable {
    let once: String
    /// Where it was sent: a page may have several forms of one `once`.
    let path: String
    let digest: Int64

    /// How long it is remembered: no session lasts longer.
    static let memory = Session.absolute

    /// How long the same words by the same person about the same thing are the same: a browser that goes back shows
    /// again what was sent a moment ago, in a form with another `once`.
    static let echo: Duration = .minutes(10)

    /// What is said where it was sent before, and what it made was removed.
    static let isGone: Words = """
        You already sent this form, and what it made was removed since. What you see here hasn’t been sent: send it \
        now to add it again.
        """

    /// It was sent before, with other words.
    struct HasOtherWords: CountsNothing {
        var words: Words =
            """
            You already sent this form with other words, and those were saved. What you see here hasn’t been sent: \
            send it now to add it, too.
            """
    }

    /// - Parameter pairs: What was answered beside the form's fields.
    init(_ submission: Submission<some Form>, at path: String, beside pairs: [(name: String, value: String)] = []) {
        (once, self.path, digest) = (submission.once, path, submission.digest(beside: pairs))
    }
}
