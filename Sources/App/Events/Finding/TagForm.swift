import Forms

/// What an admin does to a tag.
struct TagForm: Form {
    var tag = ""
    var act = Act.merge
    /// The tag that takes its place.
    var into: String?

    enum Act: String, FormValue, CaseIterable, Sendable {
        case merge, hide, show
    }

    static let fields: [Field<TagForm>] = [
        .text("tag", \.tag, "Tag", 1...Tag.mostCharacters),
        .choice("act", \.act, "What to do", options: Act.allCases.map { Choice($0, Words(verbatim: $0.rawValue)) }),
        .text("into", \.into, "The tag that takes its place", 1...Tag.mostCharacters).autocomplete("off")
            .hint("One that is there, or a new name. Events, searches and what people see less of follow."),
    ]

    /// The tag that takes the place of this one, as it is written; nil where none does.
    var target: String? { act == .merge ? Tag.list(into ?? "").first : nil }

    func check(_ submission: inout Submission<TagForm>) {
        guard submission.accepts(\.into), act == .merge else { return }
        if target == nil { submission.reject(\.into, "Say which tag takes its place.") }
        if target == tag { submission.reject(\.into, "Choose another tag than this one.") }
    }
}
