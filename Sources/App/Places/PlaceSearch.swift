import Forms

/// The search for a place in a form: the typed words, the pressed button, and the places to choose from.
struct PlaceSearch: Sendable {
    /// The typed words.
    var words = ""
    /// The places to choose from.
    var choices: [Place.Choice] = []
    /// The pressed button: `find`, or that of a place; nil for any other.
    let button: String?

    /// Whether the form is only drawn again, with places to choose from, or with the chosen one.
    var isPressed: Bool { button != nil }

    /// No search yet.
    init() { button = nil }

    /// The search sent with a form.
    ///
    /// Without a script, Enter in the search field presses the form's first button, the preview. As long as there is no
    /// location, the search is meant.
    init<F: PlaceForm>(_ body: FormBody, with _: F.Type) {
        words = String((body["find"] ?? "").prefix(80))
        let step = body["step"]
        if let step, step == "find" || step.hasPrefix("venue.") || step.hasPrefix("town.") {
            button = step
        } else if step == Step.preview.rawValue, !folded(words).isEmpty, Submission<F>(body).form.isNowhere {
            button = "find"
        } else {
            button = nil
        }
    }
}
