import Synchronization
import Templating

/// What some kept templates are drawn in: a page's frame, or that of another kept template.
protocol KeepingFrame: TemplateFrame {
    var kept: KeptFrame { get }
}

/// What the templates of this folder are drawn in.
struct Frame: KeepingFrame {
    var catalogue: Catalogue?
    var day = 1
    var drawn: Drawn?
    var kept: KeptFrame { KeptFrame(catalogue: catalogue) }
}

/// What kept templates see of it.
struct KeptFrame: KeepingFrame, NamedInput {
    let catalogue: Catalogue?
    var kept: KeptFrame { self }

    func add(to key: inout PartKey) { key.add(catalogue?.language ?? "") }
}

/// What kept templates are drawn from.
struct Note: PartInput {
    var title: String
    var tags: [String] = []
    var size: Int?
    var isSecret = false

    func add(to key: inout PartKey) {
        key.add(title)
        key.add(tags)
        key.add(size)
        key.add(isSecret)
    }
}

/// What no template should read, because no key has it.
enum Outside {
    static let number = Atomic(0)
    static var now: Int { number.load(ordering: .relaxed) }
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
