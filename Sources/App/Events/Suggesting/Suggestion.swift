import Forms
import Templating

/// An event that may suit a member, and why.
///
/// The tags of the events that a member and their children attend, or that they posted, are the set of their interests.
/// Other events are sorted by the number of tags in the set; then those without overlaps with plans come first; then by
/// start; then by announcement.
struct Suggestion: Sendable {
    let event: EventCard
    /// The tags in common with the set, in order; empty if it is suggested for its popularity.
    let tags: [String]
    /// An event that the family attends and that has most of these tags.
    let source: EventTitle?

    /// The reason for suggesting it.
    var reason: Words {
        guard let source else {
            return Words("{count} person goes there", plural: "{count} people go there", count: event.taken)
        }
        if source.title == event.title { return "Another date of what you go to" }
        return Words(
            "{count} tag you know from “\(source.words, as: "event")”: \(list, as: "tags")",
            plural: "{count} tags you know from “\(source.words, as: "event")”: \(list, as: "tags")", count: tags.count)
    }

    private var list: Words { tags.map { Words(verbatim: $0) }.listed(.short) }

    /// A thing to suggest less of.
    enum Less: Sendable {
        case tag(String)
        case event(ID<Event>)
        case help(ID<Opportunity>)

        /// Parses the value of a button in a list.
        init?(_ body: FormBody) {
            let tag = body["tag"].flatMap { Tag.list($0).first }
            guard tag.map(Tag.fits) ?? true else { return nil }
            let all = [
                tag.map(Self.tag), body["event"].flatMap { ID<Event>($0) }.map(Self.event),
                body["opportunity"].flatMap { ID<Opportunity>($0) }.map(Self.help),
            ].compactMap(\.self)
            guard all.count == 1 else { return nil }
            self = all[0]
        }
    }

    /// A rejected thing, which can be restored.
    struct Unwanted: Sendable {
        let number: String
        let title: Words
    }

    /// The number of suggestions.
    static let most = 20

    /// A member's interests.
    struct Taste: Sendable {
        /// The events they attend or posted, last first, with their tags.
        var known: [(id: ID<Event>, title: EventTitle, tags: [String])] = []
        /// Rejected tags and events.
        var lessTags: Set<String> = []
        var lessEvents: Set<ID<Event>> = []
        /// The times at which somebody in the family is busy.
        var busy: [(from: Instant, to: Instant)] = []

        /// The tags of these events, without rejected ones.
        var tags: Set<String> { Set(known.flatMap(\.tags)).subtracting(lessTags) }

        /// The events not to suggest: known and rejected ones.
        var out: Set<ID<Event>> { lessEvents.union(known.map(\.id)) }

        func isBusy(from start: Instant, to end: Instant) -> Bool {
            busy.contains { $0.from < end && start < $0.to }
        }

        /// The event that has most of these tags; if there are several, the last attended.
        func source(of tags: [String]) -> EventTitle? {
            var best: (title: EventTitle, count: Int)?
            for event in known {
                let count = tags.count { event.tags.contains($0) }
                if count > best?.count ?? 0 { best = (event.title, count) }
                if count == tags.count { break }
            }
            return best?.title
        }
    }

    /// An event's data for the rules.
    struct Candidate: Sendable {
        let id: ID<Event>
        let startsAt: Instant
        let endsAt: Instant
        let isFull: Bool
        let tags: [String]
    }

    /// The best events by the rules, with the tags in common, in order.
    static func ranked(_ candidates: [Candidate], by taste: Taste) -> [(id: ID<Event>, tags: [String])] {
        let (liked, out) = (taste.tags, taste.out)
        return candidates.compactMap { event -> (event: Candidate, shared: [String], isBusy: Bool)? in
            guard !event.isFull, !out.contains(event.id) else { return nil }
            let shared = event.tags.filter(liked.contains)
            return shared.isEmpty ? nil : (event, shared, taste.isBusy(from: event.startsAt, to: event.endsAt))
        }
        .sorted { one, other in
            if one.shared.count != other.shared.count { return one.shared.count > other.shared.count }
            if one.isBusy != other.isBusy { return !one.isBusy }
            return (one.event.startsAt, one.event.id) < (other.event.startsAt, other.event.id)
        }
        .prefix(most).map { event, shared, _ in (event.id, shared.sorted()) }
    }
}

/// `/events/for-you`.
struct SuggestionPage: Sendable {
    let suggestions: [Suggestion]
    /// Whether they are based on the visitor's events, rather than on popularity.
    let isPersonal: Bool
    /// Rejected things, which can be restored.
    let lessTags: [String]
    let lessEvents: [(id: ID<Event>, title: EventTitle)]
    /// Whether somebody is signed in, so that there is something to learn from.
    let isSignedIn: Bool

    var hasLess: Bool { !lessTags.isEmpty || !lessEvents.isEmpty }
    var unwanted: [Suggestion.Unwanted] {
        lessEvents.map { Suggestion.Unwanted(number: $0.id.description, title: $0.title.words) }
    }
}

extension SuggestionPage {
    /// The cards, which show the day because the list isn't in order of time.
    var cards: [Suggestion] {
        suggestions.map { suggestion in
            var card = suggestion.event
            card.saysDay = true
            return Suggestion(event: card, tags: suggestion.tags, source: suggestion.source)
        }
    }
}
