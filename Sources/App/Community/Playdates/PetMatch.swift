import Forms
import Templating

/// Two pets that said hello to each other, from one owner's point of view.
struct PetMatch: Sendable {
    let id: ID<PetMatch>
    let mine: Pet
    let other: Pet
    let owner: Owner
    let at: Instant
    let lastAt: Instant
    /// The number of unread messages.
    let unread: Int
    /// Whether it hasn't been viewed yet.
    let isNew: Bool
    let isFavorite: Bool
    /// The last message that the other person has read, if they show it.
    let readUpTo: ID<Message>?
    /// The last message.
    var last: String?

    /// Matches per page.
    static let pageSize = 20

    var link: Link { .match(id) }
    /// The address to add it to the favorites, or remove it.
    var favorLink: Link { link / "favourite" }
    var wantsLook: Bool { isNew || unread > 0 }
    var names: Words { Self.names(mine.name, other.name) }

    /// The two pets' names together.
    static func names(_ mine: String, _ other: String) -> Words { "\(mine, as: "mine") and \(other, as: "other")" }

    /// The result of a choice.
    enum Outcome: Sendable, Equatable {
        case passed, greeted
        case matched(ID<PetMatch>)
    }

    /// The choice to be undone has become a match.
    struct CameMeanwhile: Error { let match: ID<PetMatch> }

    /// A match whose other side has left.
    struct Former: Sendable {
        /// The reader's own pet.
        let mine: String
        let leftAt: Instant
    }

    /// An ended match that can still be reported.
    struct Ended: Sendable {
        let name: String
        let report: Subject
        let endedAt: Instant
    }
}
