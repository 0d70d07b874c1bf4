import Forms
import Templating

/// An opportunity that may suit a member, and why.
///
/// Each opportunity gets points: four if the member follows its organization; three if they helped or gave there; two
/// for each tag in common with what they took part in, including events, except tags they want less of; one for each
/// longer word in common with those titles, at most three; two within five kilometers of their town, or one within
/// twenty. They are sorted by points, then distance, then age. Opportunities that the member already takes part in or
/// rejected, and full ones, aren't suggested.
struct HelpSuggestion: Sendable {
    let opportunity: Opportunity
    let points: Int
    /// The tags in common, which can be rejected.
    let tags: [String]
    /// The reasons, strongest first.
    let reasons: [Words]

    /// The most shown.
    static let most = 20
    /// The distance in kilometers within which proximity alone earns points.
    static let reach = 20.0
    /// The minimum length of a meaningful word.
    static let leastLetters = 5

    /// A member's known interests.
    struct Taste: Sendable {
        var followed: Set<ID<Account>> = []
        /// The organizations they helped or gave to.
        var helped: Set<ID<Account>> = []
        /// What they took part in.
        var known: [(id: ID<Opportunity>, title: String, tags: [String])] = []
        /// The tags of events they attend or posted.
        var eventTags: Set<String> = []
        var lessTags: Set<String> = []
        var less: Set<ID<Opportunity>> = []
        /// The member, whose own opportunities aren't suggested.
        let account: ID<Account>
        /// Where they live, if known.
        var home: Coordinate?
        /// Whether that is a place they search near, rather than their own town.
        var isElsewhere = false
        var unit = Distance.Unit.kilometres

        var tags: Set<String> { Set(known.flatMap(\.tags)).union(eventTags).subtracting(lessTags) }
        var words: Set<String> { Set(known.flatMap { HelpSuggestion.words(of: $0.title) }) }
        /// Whether nothing but the location is known.
        var isEmpty: Bool { followed.isEmpty && helped.isEmpty && known.isEmpty && eventTags.isEmpty }
    }

    /// The meaningful words of a title.
    static func words(of title: String) -> Set<String> {
        let words = folded(title).unicodeScalars.split { $0.isASCII ? !("a"..."z" ~= $0) : !$0.properties.isAlphabetic }
        return Set(words.map { String($0) }.filter { $0.count >= leastLetters })
    }

    /// How well an opportunity suits the member.
    private struct Fit {
        let place: Int
        var points = 0
        let tags: [String]
        let words: [String]
        let kilometres: Double?
    }

    /// The best opportunities by these rules.
    static func ranked(_ candidates: [Opportunity], by taste: Taste) -> [HelpSuggestion] {
        let (liked, words, known) = (taste.tags, taste.words, Set(taste.known.map(\.id)))
        // Only a few are sorted, and reasons are computed only for those shown.
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
    /// Whether there is something left to do or bring.
    var hasRoom: Bool {
        if kind == .donate { return wanted == 0 || promised < wanted }
        return rhythm != .shifts || next.map { $0.left > 0 } ?? false
    }
}

/// `/opportunities/suggested`.
struct HelpSuggestionPage: Sendable {
    let filter: OpportunityFilter
    let suggestions: [HelpSuggestion]
    /// Whether they are based on the member's actions or follows, rather than only on their location.
    let isPersonal: Bool
    /// The newest opportunities, if nothing is known.
    let newest: [Opportunity]
    /// Rejected tags, which can be restored.
    let lessTags: [String]
    let less: [(id: ID<Opportunity>, title: String)]

    var unwanted: [Suggestion.Unwanted] {
        less.map { Suggestion.Unwanted(number: $0.id.description, title: Words(verbatim: $0.title)) }
    }

    var hasLess: Bool { !lessTags.isEmpty || !less.isEmpty }
}
