import Templating

/// What the templates of this folder are drawn in.
struct Frame: TemplateFrame {
    var catalogue: Catalogue?
}

/// What letters are drawn in.
struct LetterFrame: TemplateFrame {
    var catalogue: Catalogue?
    let name: String
}

/// What a template chooses by.
enum ChoiceOfSize: Sendable, Equatable {
    case none, many
    case some(Int)
}
