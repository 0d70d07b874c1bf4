/// A place as one record: what people call it, its address, and where it is on the map.
struct Place: Sendable, Equatable {
    /// `Willow field, north gate`; may be empty.
    var name = ""
    /// Empty for a place within an event, such as a tent.
    var address = Address()
    /// Nil where nobody put a pin: the address says it.
    var coordinate: Coordinate?

    /// In one line: `Willow field, 180 Park Ave, San Jose, CA 95113`.
    var line: String { [name, address.line].filter { !$0.isEmpty }.joined(separator: ", ") }

    /// A place to choose, and how the button for it names it.
    struct Choice: Sendable, Equatable {
        let place: Place
        /// As the button says it: a town with its state or country.
        let label: String
        /// As the form sends it: `venue.17` for where an own event was, `town.San Jose, CA 95113` for the gazetteer's.
        let step: String

        /// Where one of the account's own events was.
        static func venue(_ event: ID<Event>, _ place: Place) -> Choice {
            Choice(place: place, label: place.line, step: "venue.\(event)")
        }

        /// What the gazetteer knows: a town or a ZIP code, without a street.
        static func town(_ match: Gazetteer.Match) -> Choice {
            Choice(place: Place(match), label: match.label, step: "town.\(match.label)")
        }
    }

    /// The most places used before that are offered without a word, and the most in all.
    static let mostUsed = 6, most = 10
}

extension Place {
    init(_ match: Gazetteer.Match) {
        self.init(address: Address(city: match.name, state: match.region, zip: match.zip, country: match.country))
    }

    /// Whether each of these words begins one of its own.
    func has(_ words: String) -> Bool { SearchWords.holds(line, words) }
}

extension Sequence<Place> {
    /// Those within an event, each name once: with its point, where one of that name has one.
    var knownBest: [Place] {
        var known: [Place] = []
        for place in self {
            if let index = known.firstIndex(where: { folded($0.name) == folded(place.name) }) {
                known[index].coordinate = known[index].coordinate ?? place.coordinate
            } else {
                known.append(place)
            }
        }
        return known
    }
}
