import Forms

/// Looking for a place while a form is filled in: the words, which of its buttons was pressed, and what there is to
/// choose from.
struct PlaceSearch: Sendable {
    /// By which words a place is looked for.
    var words = ""
    /// The places to choose from.
    var choices: [Place.Choice] = []
    /// The button that was pressed: `find`, or that of a place; nil for any other.
    let button: String?

    /// Whether the form is only drawn again, with places to choose from, or with the one that was chosen.
    var isPressed: Bool { button != nil }

    /// Nobody looks for one yet.
    init() { button = nil }

    /// What was sent with a form of that kind.
    ///
    /// Without a script, Enter where one looks for a place presses the form's first button, which is that of the
    /// preview. As long as nothing says where it is, this one is meant.
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
