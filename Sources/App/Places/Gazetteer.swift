/// The towns of the world and the ZIP codes of the US, with where they are.
enum Gazetteer {
    /// A town or a ZIP code that fits what somebody typed.
    struct Match: Sendable, Equatable {
        let name: String
        /// The code of a US state; empty elsewhere.
        let region: String
        let country: String
        var zip = ""
        let coordinate: Coordinate
        /// People who live there; a thousand for each ZIP code where nobody says.
        let population: Int
        /// The coordinates, where they were typed and no name.
        var spot: String?

        /// `San Jose, CA`, `San Jose, CA 95112`, `San José, Costa Rica`: typed again, it means this place.
        var label: String { spot ?? named }

        /// As a page says it: a spot with the town it is in or near.
        var said: String { spot.map { named == $0 ? $0 : "\($0) (\(named))" } ?? named }

        private var named: String {
            if country.isEmpty { return name }
            return country == "US"
                ? "\(name), \([region, zip].filter { !$0.isEmpty }.joined(separator: " "))"
                : "\(name), \(Country.name(of: country))"
        }
    }

    /// Where a family lives.
    struct Home: Sendable {
        /// As it is typed: with its state in the US, else with its country.
        let typed: String
        /// Nil where it isn't known.
        let match: Match?

        var answer: Answer { match.map { .found($0, others: []) } ?? .unknown }
    }

    /// What the gazetteer says of a place as typed.
    enum Answer: Sendable, Equatable {
        /// The one that is meant, and others of that name.
        case found(Match, others: [Match])
        /// Several, of which none stands out.
        case several([Match])
        case unknown
    }

    /// What somebody means who typed this: `95112`, `San Jose`, `San Jose, CA`, `Berlin, Germany`.
    struct Wish: Equatable {
        /// The name as it is compared; empty for a ZIP code alone.
        var key = ""
        /// Up to five digits.
        var zip = ""
        var region: String?
        var country: String?

        init(_ typed: String) {
            let words = typed.split { $0 == " " || $0.isComma }
            let isInUS = words.count > 1 && Country.states.contains { $0.code == words[words.count - 2] }
            if let digits = words.last?.prefix(while: { $0 != "-" }), digits.utf8.allSatisfy(Self.isDigit),
                digits.utf8.count == 5 && (isInUS || words.count == 1) || 3...4 ~= digits.utf8.count && words.count == 1
            {
                zip = String(digits)
                return
            }
            if let comma = typed.lastIndex(of: ","), narrow(String(typed[typed.index(after: comma)...])) {
                key = Self.name(typed[..<comma])
            } else if let comma = typed.firstIndex(of: ",") {
                key = Self.name(typed[..<comma])
            } else if words.count > 1, let state = words.last, state.utf8.count == 2,
                state.utf8.allSatisfy({ (65...90).contains($0) }), let code = Country.state(typed: String(state))
            {
                key = folded(words.dropLast().joined(separator: " "))
                region = code
                country = "US"
            } else {
                key = Self.name(typed[...])
            }
        }

        /// Whether a place is in the state and the country that were named.
        func admits(_ match: Match) -> Bool {
            (region.map { $0 == match.region } ?? true) && (country.map { $0 == match.country } ?? true)
        }

        private static func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }

        /// A name without the postal code in front of it: `10437 Berlin`.
        private static func name(_ typed: Substring) -> String {
            let words = typed.split { $0 == " " || $0.isComma }
            let names = words.filter { !$0.utf8.allSatisfy(isDigit) }
            return folded((names.isEmpty ? words : names).joined(separator: " "))
        }

        /// Reads what stands behind a comma: a state or a country. False for anything else.
        private mutating func narrow(_ rest: String) -> Bool {
            if let code = Country.state(typed: rest) {
                region = code
                country = "US"
            } else {
                let name = folded(rest)
                country = Country.all.first { folded($0.name) == name || $0.code.lowercased() == name }?.code
            }
            return country != nil
        }
    }

    /// The ten that somebody most likely means, the likeliest first: those that are called just so before longer names,
    /// then by size. A town elsewhere has to be ten times as large as one of `country` to come first. Of several with
    /// the same label the largest stands for all.
    static func ranked(_ matches: [Match], for key: String, country: String) -> [Match] {
        func weight(_ match: Match) -> Int { match.country == country ? match.population : match.population / 10 }
        var labels: Set<String> = []
        return matches.map { (match: $0, isExact: folded($0.name) == key, weight: weight($0)) }
            .sorted { ($0.isExact ? 1 : 0, $0.weight) > ($1.isExact ? 1 : 0, $1.weight) }
            .map(\.match).filter { labels.insert($0.label).inserted }.prefix(10).map(\.self)
    }

    /// The answer that ranked matches give: the first, if it is three times as large as the next of that name.
    static func answer(_ matches: [Match], for key: String, country: String) -> Answer {
        guard let first = matches.first else { return .unknown }
        func weight(_ match: Match) -> Int { match.country == country ? match.population : match.population / 10 }
        let isExact = folded(first.name) == key
        let rivals = matches.dropFirst().filter { !isExact || folded($0.name) == key }
        let largest = rivals.map(weight).max() ?? 0
        return weight(first) >= 3 * largest ? .found(first, others: Array(rivals)) : .several(matches)
    }
}

extension Gazetteer.Answer {
    /// Where it is, if one place is meant.
    var match: Gazetteer.Match? {
        if case .found(let match, _) = self { match } else { nil }
    }

    /// The others of that name, or those of which none stands out.
    var others: [Gazetteer.Match] {
        switch self {
        case .found(_, let others): others
        case .several(let matches): matches
        case .unknown: []
        }
    }
}
