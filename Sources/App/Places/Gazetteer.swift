import Forms

/// The world's towns and the US ZIP codes, with their locations.
enum Gazetteer {
    /// A town or ZIP code that matches a typed text.
    struct Match: Sendable, Equatable {
        let name: String
        /// The code of a US state; empty elsewhere.
        let region: String
        let country: String
        var zip = ""
        let coordinate: Coordinate
        /// The population; a thousand for each ZIP code if unknown.
        let population: Int
        /// The coordinates, if those were typed instead of a name.
        var spot: String?

        /// `San Jose, CA`, `San Jose, CA 95112`, `San José, Costa Rica`: when typed again, it finds this place.
        var label: String { spot ?? named }

        /// For pages: of coordinates, the town they are in or near.
        var said: Words {
            guard spot != nil else { return town }
            return country.isEmpty ? town : "a point near \(town, as: "place")"
        }

        /// The town.
        var town: Words { spot != nil && country.isEmpty ? "a point on the map" : Words(verbatim: named) }

        private var named: String {
            if country.isEmpty { return name }
            return country == "US"
                ? "\(name), \([region, zip].filter { !$0.isEmpty }.joined(separator: " "))"
                : "\(name), \(Country.name(of: country))"
        }
    }

    /// A family's home town.
    struct Home: Sendable {
        /// In the form for typing: with the state in the US, otherwise with the country.
        let typed: String
        /// Nil if unknown.
        let match: Match?

        var answer: Answer { match.map { .found($0, others: []) } ?? .unknown }
    }

    /// The gazetteer's answer to a typed place.
    enum Answer: Sendable, Equatable {
        /// The place that is meant, and others with that name.
        case found(Match, others: [Match])
        /// Several, none of which stands out.
        case several([Match])
        case unknown
    }

    /// A typed place, parsed: `95112`, `San Jose`, `San Jose, CA`, `Berlin, Germany`.
    struct Wish: Equatable {
        /// The folded name; empty for a bare ZIP code.
        var key = ""
        /// Up to five digits.
        var zip = ""
        var region: String?
        var country: String?

        init(_ typed: String) {
            let typed = typed.plainSigns
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

        /// Whether a place is in the given state and country.
        func admits(_ match: Match) -> Bool {
            (region.map { $0 == match.region } ?? true) && (country.map { $0 == match.country } ?? true)
        }

        private static func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }

        /// A name without its postal code: `10437 Berlin`, `London SW1A 1AA`, `1012 AB Amsterdam`.
        private static func name(_ typed: Substring) -> String {
            let words = typed.split { $0 == " " || $0.isComma }
            var isBehindCode = false
            let names = words.filter { word in
                defer { isBehindCode = word.utf8.count == 4 && word.utf8.allSatisfy(isDigit) }
                let isEndOfCode = isBehindCode && word.utf8.count == 2 && word.utf8.allSatisfy { 65...90 ~= $0 }
                return !isEndOfCode && !word.utf8.contains(where: isDigit)
            }
            return folded((names.isEmpty ? words : names).joined(separator: " "))
        }

        /// Parses the text after a comma: a state or a country. False for anything else.
        private mutating func narrow(_ rest: String) -> Bool {
            if let code = Country.state(typed: rest) {
                region = code
                country = "US"
            } else {
                country = Country.code(typed: rest)
            }
            return country != nil
        }
    }

    /// The ten likeliest matches, the likeliest first: exact names before longer ones, then by size. A town outside of
    /// `country` must be ten times as large to come before one in it. Of several with the same label, only the largest
    /// is kept.
    static func ranked(_ matches: [Match], for key: String, country: String) -> [Match] {
        func weight(_ match: Match) -> Int { match.country == country ? match.population : match.population / 10 }
        var labels: Set<String> = []
        return matches.map { (match: $0, isExact: folded($0.name) == key, weight: weight($0)) }
            .sorted { ($0.isExact ? 1 : 0, $0.weight) > ($1.isExact ? 1 : 0, $1.weight) }
            .map(\.match).filter { labels.insert($0.label).inserted }.prefix(10).map(\.self)
    }

    /// The answer for ranked matches: the first, if it is three times as large as the next with that name.
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
    /// The match, if one place is meant.
    var match: Gazetteer.Match? {
        if case .found(let match, _) = self { match } else { nil }
    }

    /// The others with that name, or all if none stands out.
    var others: [Gazetteer.Match] {
        switch self {
        case .found(_, let others): others
        case .several(let matches): matches
        case .unknown: []
        }
    }
}
