import Forms
import Templating

/// An event that may suit somebody, and why.
///
/// The rule: the tags of the events that somebody goes to or announced, theirs and their children's, are the set of
/// what they like. Of the events they don't go to, those come first that share most tags with the set; then those at a
/// time when nothing else is planned; then the soonest; then the one that was announced first.
struct Suggestion: Sendable {
    let event: EventCard
    /// The tags it shares with the set, in order; empty where it is suggested since many go there.
    let tags: [String]
    /// An event that somebody of theirs goes to, and that has most of these tags.
    let source: EventTitle?

    /// Why it is suggested.
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

    /// What somebody wants less of.
    enum Less: Sendable {
        case tag(String)
        case event(ID<Event>)
        case help(ID<Opportunity>)

        /// What a button of a list names: one thing.
        init?(_ body: FormBody) {
            let tag = body["tag"].flatMap { Tag.list($0).first }
            guard tag.map({ $0.count <= Tag.mostCharacters }) ?? true else { return nil }
            let all = [
                tag.map(Self.tag), body["event"].flatMap { ID<Event>($0) }.map(Self.event),
                body["opportunity"].flatMap { ID<Opportunity>($0) }.map(Self.help),
            ].compactMap(\.self)
            guard all.count == 1 else { return nil }
            self = all[0]
        }
    }

    /// Something of which somebody wants less, to be put back.
    struct Unwanted: Sendable {
        let number: String
        let title: Words
    }

    /// How many are shown.
    static let most = 20

    /// What somebody is known to like.
    struct Taste: Sendable {
        /// The events they go to or announced, the last one first, with their tags.
        var known: [(id: ID<Event>, title: EventTitle, tags: [String])] = []
        /// Tags and events that they don't want to be suggested.
        var lessTags: Set<String> = []
        var lessEvents: Set<ID<Event>> = []
        /// When somebody of theirs is somewhere already.
        var busy: [(from: Instant, to: Instant)] = []

        /// The tags of what they know, without those they want less of.
        var tags: Set<String> { Set(known.flatMap(\.tags)).subtracting(lessTags) }

        /// The events that aren't suggested: what they know, and what they said something against.
        var out: Set<ID<Event>> { lessEvents.union(known.map(\.id)) }

        func isBusy(from start: Instant, to end: Instant) -> Bool {
            busy.contains { $0.from < end && start < $0.to }
        }

        /// The event that has most of these tags; of several the one that they went to last.
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

    /// What the rule asks of an event.
    struct Candidate: Sendable {
        let id: ID<Event>
        let startsAt: Instant
        let endsAt: Instant
        let isFull: Bool
        let tags: [String]
    }

    /// The events that suit somebody best by the rule, with the tags they share with what is liked, in order.
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
    /// Whether they follow from what the visitor goes to, and not from what is popular.
    let isPersonal: Bool
    /// What was taken out, to be put back.
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
    /// How an event of a list is drawn: by the day, since the list isn't in the order of time.
    var cards: [Suggestion] {
        suggestions.map { suggestion in
            var card = suggestion.event
            card.saysDay = true
            return Suggestion(event: card, tags: suggestion.tags, source: suggestion.source)
        }
    }
}
