/// A piece of Swift in a template.
struct Code: Equatable {
    let text: String
    let position: Position
}

/// What a template says, read and checked by itself.
struct Template {
    /// Relative to the folder, without `.html`: `events/show`.
    let name: String
    let source: Source
    var parameters = Code(text: "", position: Position())
    var frame = "Frame"
    var layout: Call?
    /// The slots it fills in its layout, besides the default one.
    var slots: [(name: String, position: Position, body: [Node])] = []
    var body: [Node] = []
    /// The slots it draws as a layout; the default one is "".
    var yields: [String] = []

    var isLayout: Bool { name.hasPrefix("layouts/") }
    var isPartial: Bool { !isLayout && name.split(separator: "/").last?.hasPrefix("_") == true }
}

/// `layouts/site(title: …)`.
struct Call {
    let name: String
    let position: Position
    let arguments: Code
}

/// A piece of what a template draws.
indirect enum Node {
    case markup([UInt8])
    case value(Code, ValuePlace)
    case choice(Choice)
    case loop(Code, body: [Node], empty: [Node])
    case include(Call)
    case yield(String)
    case message(TemplateMessage)
}

/// `{% if … %}…{% else %}…{% end %}`, or `{% switch … %}{% case … %}…{% end %}`.
struct Choice {
    /// What a `switch` looks at; nil for an `if`.
    let subject: Code?
    /// A condition or pattern, nil for the last `else`, and what is drawn then.
    let branches: [(head: Code?, body: [Node])]

    /// Whether one of the branches is always drawn: Swift makes sure of it for a `switch`.
    var isComplete: Bool { subject != nil || branches.last?.head == nil }
}

/// `{% t name: … %}…{% end %}`, `{% t context: "…" %}…{% end %}`.
struct TemplateMessage {
    enum Piece {
        case text(String)
        case placeholder(String, ValuePlace)
    }

    let position: Position
    let isAttribute: Bool
    /// What tells it apart from another message of the same English.
    let context: String?
    let arguments: [(name: String, code: Code)]
    var singular: [Piece] = []
    var plural: [Piece]?

    /// Whether it is one text, with nothing to fill in: nearly all are.
    var isPlain: Bool {
        arguments.isEmpty && plural == nil && context == nil
            && singular.allSatisfy { if case .text = $0 { true } else { false } }
    }

    /// The key in the catalog.
    static func id(_ pieces: [Piece]) -> String {
        pieces.map { piece in
            switch piece {
            case .text(let text): text
            case .placeholder(let name, _): "{\(name)}"
            }
        }.joined()
    }
}
