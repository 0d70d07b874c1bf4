import Forms
import Templating

/// Something that was given back, removed or thrown away a moment ago, and can still be taken back.
struct Undo: Sendable {
    let id: ID<Undo>
    let kind: Kind
    /// The number of what it is about: a registration, a child, a draft, an event.
    let subject: Int64
    /// What it was, as its owner calls it; of places the names of the children, a line each.
    let label: String
    /// How many it is, of places.
    var count = 1

    /// For so long it can be taken back; then what was kept for it is erased.
    static let time = Duration.minutes(10)

    enum Kind: String, Sendable {
        case places, offer, child, draft, event
    }

    /// What was done, as the page after it says.
    var words: Words {
        switch kind {
        case .places:
            Words(
                "The place of \(names, as: "names") was given back.",
                plural: "The places of \(names, as: "names") were given back.", count: count)
        case .offer: "You said no to the place at “\(label, as: "title")”."
        case .child: "\(label, as: "name") was removed, and the places given back."
        case .draft: "The draft “\(label, as: "title")” was thrown away."
        case .event: "“\(label, as: "title")” was deleted."
        }
    }

    /// What it was, in words.
    var name: Words { kind == .places ? names : Words(verbatim: label) }

    /// Those whose places it was.
    private var names: Words {
        label.split(separator: "\n", omittingEmptySubsequences: false)
            .map { Registration.Person.label($0.isEmpty ? nil : String($0)) }.listed()
    }

    /// The page that shows it again.
    var link: Link {
        switch kind {
        case .places, .offer: .registration(ID(subject))
        case .child: Link("/me/children")
        case .draft: .drafts
        case .event: .event(ID(subject))
        }
    }

    /// How much of it is back.
    enum Outcome: Sendable {
        case whole
        /// Some of a child's places went to others.
        case withoutPlaces
        /// The picture is gone.
        case withoutPicture

        var flash: Flash {
            switch self {
            case .whole: .takenBack
            case .withoutPlaces: .takenBackInPart
            case .withoutPicture: .takenBackWithoutPicture
            }
        }
    }

    /// Why it can't be taken back.
    struct Refused: Error {
        let words: Words
    }
}
