import Forms
import Templating

/// A way to help that may suit somebody, and why.
///
/// The rule: each way to help has points. Four where somebody follows its organization; three where they helped there
/// or gave something; two for each tag it shares with what they took part in, events too, but the tags they want less
/// of; one for each longer word that its title shares with those, three at most; two within five kilometers of their
/// town, one within twenty. Those with most points come first, then the nearest, then the newest. What is theirs
/// already, what they took out, and what has no room isn't suggested.
struct HelpSuggestion: Sendable {
    let opportunity: Opportunity
    let points: Int
    /// The tags it shares, to be taken out.
    let tags: [String]
    /// Why, the strongest reason first.
    let reasons: [Words]

    /// How many are shown.
    static let most = 20
    /// How far around somebody's town nearness alone gives points, in kilometers.
    static let reach = 20.0
    /// What a word must have to say something of its own.
    static let leastLetters = 5

    /// What somebody is known to care for.
    struct Taste: Sendable {
        var followed: Set<ID<Account>> = []
        /// The organizations they helped or gave to.
        var helped: Set<ID<Account>> = []
        /// What they took part in.
        var known: [(id: ID<Opportunity>, title: String, tags: [String])] = []
        /// The tags of the events they go to or announced.
        var eventTags: Set<String> = []
        var lessTags: Set<String> = []
        var less: Set<ID<Opportunity>> = []
        /// The member whose taste it is: what they ask for themselves isn't suggested.
        let account: ID<Account>
        /// Where they live, as far as it is known.
        var home: Coordinate?
        /// Whether that is a place they look around, and not their own town.
        var isElsewhere = false
        var unit = Distance.Unit.kilometres

        var tags: Set<String> { Set(known.flatMap(\.tags)).union(eventTags).subtracting(lessTags) }
        var words: Set<String> { Set(known.flatMap { HelpSuggestion.words(of: $0.title) }) }
        /// Whether there is anything to go by but where they live.
        var isEmpty: Bool { followed.isEmpty && helped.isEmpty && known.isEmpty && eventTags.isEmpty }
    }

    /// The words of a title that say something.
    static func words(of title: String) -> Set<String> {
        let words = folded(title).unicodeScalars.split { $0.isASCII ? !("a"..."z" ~= $0) : !$0.properties.isAlphabetic }
        return Set(words.map { String($0) }.filter { $0.count >= leastLetters })
    }

    /// How well one of several suits somebody.
    private struct Fit {
        let place: Int
        var points = 0
        let tags: [String]
        let words: [String]
        let kilometres: Double?
    }

    /// The ways to help that suit somebody best by the rule.
    static func ranked(_ candidates: [Opportunity], by taste: Taste) -> [HelpSuggestion] {
        let (liked, words, known) = (taste.tags, taste.words, Set(taste.known.map(\.id)))
        // Only few are sorted, and reasons are given only for those that are shown.
        var fits: [Fit] = []
        for (place, opportunity) in candidates.enumerated() {
            guard !known.contains(opportunity.id), !taste.less.contains(opportunity.id),
                opportunity.host.id != taste.account, opportunity.hasRoom
            else {
                continue
            }
            var fit = Fit(
                place: place, tags: opportunity.tags.filter(liked.contains).sorted(),
                words: words.isEmpty ? [] : Self.words(of: opportunity.title).intersection(words).sorted(),
                kilometres: taste.home.flatMap { home in opportunity.place.coordinate.map { $0.distance(to: home) } })
            if taste.followed.contains(opportunity.host.id) { fit.points += 4 }
            if taste.helped.contains(opportunity.host.id) { fit.points += 3 }
            fit.points += 2 * fit.tags.count + min(3, fit.words.count)
            if let kilometres = fit.kilometres { fit.points += kilometres <= 5 ? 2 : kilometres <= reach ? 1 : 0 }
            if fit.points > 0 { fits.append(fit) }
        }
        fits.sort { a, b in
            if a.points != b.points { return a.points > b.points }
            if a.kilometres != b.kilometres { return a.kilometres ?? .infinity < b.kilometres ?? .infinity }
            return candidates[a.place].id > candidates[b.place].id
        }
        return fits.prefix(most).map { HelpSuggestion(candidates[$0.place], $0, by: taste) }
    }

    private init(_ opportunity: Opportunity, _ fit: Fit, by taste: Taste) {
        var opportunity = opportunity
        var reasons: [Words] = []
        if taste.followed.contains(opportunity.host.id) {
            reasons.append("You follow \(opportunity.host.name, as: "organization")")
        }
        if taste.helped.contains(opportunity.host.id) {
            reasons.append("You helped \(opportunity.host.name, as: "organization") before")
        }
        if !fit.tags.isEmpty {
            let list = fit.tags.map { Words(verbatim: $0) }.listed(.short)
            reasons.append(
                Words(
                    "{count} tag of what you did: \(list, as: "tags")",
                    plural: "{count} tags of what you did: \(list, as: "tags")", count: fit.tags.count))
        }
        if !fit.words.isEmpty {
            let list = fit.words.prefix(3).map { Words(verbatim: $0) }.listed(.short)
            reasons.append("It is about \(list, as: "words"), too")
        }
        if let kilometres = fit.kilometres {
            let distance = Distance(kilometres: kilometres, unit: taste.unit)
            opportunity.distance = distance
            if kilometres <= Self.reach, !taste.isElsewhere {
                reasons.append("It is \(distance.name, as: "distance") from your town")
            } else if kilometres <= Self.reach {
                reasons.append("It is \(distance.name, as: "distance") away")
            }
        }
        (self.opportunity, points, tags, self.reasons) = (opportunity, fit.points, fit.tags, reasons)
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
    /// The newest there are, where nothing is known to go by.
    let newest: [Opportunity]
    /// What was taken out, to be put back.
    let lessTags: [String]
    let less: [(id: ID<Opportunity>, title: String)]

    var unwanted: [Suggestion.Unwanted] {
        less.map { Suggestion.Unwanted(number: $0.id.description, title: Words(verbatim: $0.title)) }
    }

    var hasLess: Bool { !lessTags.isEmpty || !less.isEmpty }
}
