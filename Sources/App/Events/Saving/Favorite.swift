import Templating

/// What a member saves to come back to, without registering. Nobody else sees it, and nothing shows how many did.
enum Favorite: Sendable {
    case event(ID<Event>)
    case opportunity(ID<Opportunity>)

    /// How long it is kept after its end.
    static let memory = Duration.days(30)
}

/// What somebody saved: what is to come or on, or what is over.
struct FavoriteList: Sendable {
    let isOver: Bool
    /// Where it begins.
    let link: Link
    let events: [EventCard]
    /// The next events, when there are some.
    let moreEvents: Link?
    let opportunities: [Opportunity]
    /// The next ways to help, when there are some.
    let moreOpportunities: Link?

    static func link(isOver: Bool) -> Link { Link.favorites.with("list", isOver ? "over" : nil) }

    var isEmpty: Bool { events.isEmpty && opportunities.isEmpty }

    /// Each with the entry to come back to when it is taken off.
    var eventRows: [(event: EventCard, next: String)] {
        zip(events, events.map(\.entryID).following).map { (event: $0, next: $1) }
    }
    var opportunityRows: [(opportunity: Opportunity, next: String)] {
        zip(opportunities, opportunities.map(\.entryID).following).map { (opportunity: $0, next: $1) }
    }

    init(isOver: Bool, events: Page<EventCard>, opportunities: Page<Opportunity>) {
        self.isOver = isOver
        link = Self.link(isOver: isOver)
        self.events = events.items.map { event in
            var event = event
            event.saysDay = true
            return event
        }
        self.opportunities = opportunities.items
        moreEvents = events.more(at: link)
        moreOpportunities = opportunities.more(at: link, "help")
    }
}

/// The entries of a list of which one can be taken off, by their anchors.
extension [String] {
    /// The entry behind each, or before the last; of a single one its own, which nothing is behind.
    var following: [String] {
        indices.map { self[$0 + 1 < count ? $0 + 1 : Swift.max(0, $0 - 1)] }
    }
}
