import Forms

/// The form to replace a tag.
struct TagForm: Form {
    var tag = ""
    /// The replacement as typed.
    var into: String?

    static let fields: [Field<TagForm>] = [
        .text("tag", \.tag, "Tag", 1...Tag.mostCharacters),
        .text("into", \.into, "The tag that takes its place", 1...Tag.mostCharacters).autocomplete("off")
            .hint("One that is there, or a new name. Events, searches and what people see less of follow."),
    ]

    /// The replacement in canonical form; nil if there is none.
    var target: String? { Tag.list(into ?? "").first }

    func check(_ submission: inout Submission<TagForm>) {
        guard submission.accepts(\.into) else { return }
        if target == nil { submission.reject(\.into, "Say which tag takes its place.") }
        if target == tag { submission.reject(\.into, "Choose another tag than this one.") }
    }
}
