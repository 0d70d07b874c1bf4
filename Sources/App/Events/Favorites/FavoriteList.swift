import Templating

/// A member's saved things: current and upcoming, or past.
struct FavoriteList: Sendable {
    let isOver: Bool
    /// The address of its first page.
    let link: Link
    let events: [EventCard]
    /// The link to more events, if there are any.
    let moreEvents: Link?
    let opportunities: [Opportunity]
    /// The link to more opportunities, if there are any.
    let moreOpportunities: Link?

    static func link(isOver: Bool) -> Link { Link.favorites.with("list", isOver ? "over" : nil) }

    var isEmpty: Bool { events.isEmpty && opportunities.isEmpty }

    /// Each with the entry to return to when it is removed.
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
        moreOpportunities = opportunities.more(at: link, .help)
    }
}

/// A list of anchors whose entries can be removed.
extension [String] {
    /// For each entry the next one, or for the last the one before; for a single entry itself.
    var following: [String] {
        indices.map { self[$0 + 1 < count ? $0 + 1 : Swift.max(0, $0 - 1)] }
    }
}
