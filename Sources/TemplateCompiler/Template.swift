/// A piece of Swift in a template.
struct Code: Equatable {
    let text: String
    let position: Position
}

/// A parsed template, checked on its own.
struct Template {
    /// The path relative to the folder, without `.html`: `events/show`.
    let name: String
    let source: Source
    var parameters = Code(text: "", position: Position())
    var frame = "Frame"
    /// The parameters' names inside the template.
    var names: [String] = []
    /// Set if its markup is kept and used again.
    var kept: Kept?
    var layout: Call?
    /// The slots it fills in its layout, apart from the default one.
    var slots: [(name: String, position: Position, body: [Node])] = []
    var body: [Node] = []
    /// The slots it draws as a layout; "" is the default one.
    var yields: [String] = []

    var isLayout: Bool { name.hasPrefix("layouts/") }
    var isPartial: Bool { !isLayout && name.split(separator: "/").last?.hasPrefix("_") == true }
}

/// `{% template (…) kept (name: value, …) where … %}`.
struct Kept {
    /// Values from the page's frame, which the template itself doesn't see.
    let values: [(name: String, code: Code)]
    /// Whether the markup for these arguments may be kept; nil if always.
    let condition: Code?
}

/// A call such as `layouts/site(title: …)`.
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

/// `{% if … %}…{% else %}…{% end %}` or `{% switch … %}{% case … %}…{% end %}`.
struct Choice {
    /// The subject of a `switch`; nil for an `if`.
    let subject: Code?
    /// The branches: a condition or pattern, nil for the final `else`, and what is drawn.
    let branches: [(head: Code?, body: [Node])]

    /// Whether one of the branches is always drawn; for a `switch`, Swift checks it.
    var isComplete: Bool { subject != nil || branches.last?.head == nil }
}

/// `{% t name: … %}…{% end %}` or `{% t context: "…" %}…{% end %}`.
struct TemplateMessage {
    enum Piece {
        case text(String)
        case placeholder(String, ValuePlace)
    }

    let position: Position
    let isAttribute: Bool
    /// Distinguishes it from another message with the same English.
    let context: String?
    let arguments: [(name: String, code: Code)]
    var singular: [Piece] = []
    var plural: [Piece]?

    /// Whether it is a single text without placeholders, as nearly all are.
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
