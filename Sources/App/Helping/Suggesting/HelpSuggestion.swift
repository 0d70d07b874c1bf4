import Forms
import Templating

/// A way to help that may suit somebody, and why.
///
/// The rule: each way to help has points. Four where somebody follows its organization; three where they helped there
/// or gave something; two for each tag it shares with what they took part in, but the tags they want less of; one for
/// each longer word that its title shares with those, three at most; two within five kilometers of their town, one
/// within twenty. Those with most points come first, then the nearest, then the newest. What is theirs already, what
/// they took out, and what has no room isn't suggested.
struct HelpSuggestion: Sendable {
    let it: Opportunity
    let points: Int
    /// The tags it shares, to be taken out.
    let tags: [String]
    /// Why, the strongest reason first.
    let reasons: [Words]

    /// How many are shown.
    static let most = 20
    /// What a word must have to say something of its own.
    static let leastLetters = 5

    /// What somebody is known to care for.
    struct Taste: Sendable {
        var followed: Set<ID<Account>> = []
        /// The organizations they helped or gave to.
        var helped: Set<ID<Account>> = []
        /// What they took part in.
        var known: [(id: ID<Opportunity>, title: String, tags: [String])] = []
        var lessTags: Set<String> = []
        var less: Set<ID<Opportunity>> = []
        /// Where they live, as far as it is known.
        var home: Coordinate?
        var unit = Distance.Unit.kilometres

        var tags: Set<String> { Set(known.flatMap(\.tags)).subtracting(lessTags) }
        var words: Set<String> { Set(known.flatMap { HelpSuggestion.words(of: $0.title) }) }
        /// Whether there is anything to go by but where they live.
        var isEmpty: Bool { followed.isEmpty && helped.isEmpty && known.isEmpty }
    }

    /// The words of a title that say something.
    static func words(of title: String) -> Set<String> {
        Set(folded(title).split { !$0.isLetter }.map(String.init).filter { $0.count >= leastLetters })
    }

    /// Orders ways to help by the rule.
    static func ranked(_ candidates: [Opportunity], by taste: Taste) -> [HelpSuggestion] {
        let (liked, words, known) = (taste.tags, taste.words, Set(taste.known.map(\.id)))
        return candidates.compactMap { it -> (suggestion: HelpSuggestion, kilometres: Double)? in
            guard !known.contains(it.id), !taste.less.contains(it.id), it.hasRoom else { return nil }
            var it = it
            var points = 0
            var reasons: [Words] = []
            if taste.followed.contains(it.host.id) {
                points += 4
                reasons.append("You follow \(it.host.name, as: "organization")")
            }
            if taste.helped.contains(it.host.id) {
                points += 3
                reasons.append("You helped \(it.host.name, as: "organization") before")
            }
            let tags = it.tags.filter(liked.contains).sorted()
            if !tags.isEmpty {
                points += 2 * tags.count
                let list = tags.map { Words(verbatim: $0) }.listed(.short)
                reasons.append(
                    Words(
                        "{count} tag of what you did: \(list, as: "tags")",
                        plural: "{count} tags of what you did: \(list, as: "tags")", count: tags.count))
            }
            let shared = Self.words(of: it.title).intersection(words).sorted()
            if !shared.isEmpty {
                points += min(3, shared.count)
                let list = shared.prefix(3).map { Words(verbatim: $0) }.listed(.short)
                reasons.append("It is about \(list, as: "words"), too")
            }
            let kilometres = taste.home.flatMap { home in it.place.coordinate.map { $0.distance(to: home) } }
            if let kilometres {
                let distance = Distance(kilometres: kilometres, unit: taste.unit)
                it.distance = distance
                points += kilometres <= 5 ? 2 : kilometres <= 20 ? 1 : 0
                if kilometres <= 20 { reasons.append("It is \(distance.name, as: "distance") from your town") }
            }
            guard points > 0 else { return nil }
            return (HelpSuggestion(it: it, points: points, tags: tags, reasons: reasons), kilometres ?? .infinity)
        }
        .sorted { a, b in
            if a.suggestion.points != b.suggestion.points { return a.suggestion.points > b.suggestion.points }
            if a.kilometres != b.kilometres { return a.kilometres < b.kilometres }
            return a.suggestion.it.id > b.suggestion.it.id
        }
        .prefix(most).map(\.suggestion)
    }
}

extension Opportunity {
    /// Whether there is something left to do or to bring.
    var hasRoom: Bool {
        if kind == .donate { return wanted == 0 || promised < wanted }
        return rhythm != .shifts || next.map { $0.left > 0 } ?? false
    }
}

/// `/opportunities/suggested`.
struct HelpSuggestionPage: Sendable {
    let filter: OpportunityFilter
    let suggestions: [HelpSuggestion]
    /// Whether they follow from what somebody did or follows, and not from where they live alone.
    let isPersonal: Bool
    /// What was taken out, to be put back.
    let lessTags: [String]
    let less: [(id: ID<Opportunity>, title: String)]

    var unwanted: [Suggestion.Unwanted] {
        less.map { Suggestion.Unwanted(number: $0.id.description, title: $0.title) }
    }

    var hasLess: Bool { !lessTags.isEmpty || !less.isEmpty }
}
