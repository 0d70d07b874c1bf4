/// A place: its name, its address, and its position on the map.
struct Place: Sendable, Equatable {
    /// `Willow field, north gate`; possibly empty.
    var name = ""
    /// Empty for a place inside an event, such as a tent.
    var address = Address()
    /// Nil if there is no pin: the address determines the location.
    var coordinate: Coordinate?

    /// The place on one line: `Willow field, 180 Park Ave, San Jose, CA 95113`.
    var line: String { [name, address.line].filter { !$0.isEmpty }.joined(separator: ", ") }

    /// A place to choose, and the label of its button.
    struct Choice: Sendable, Equatable {
        let place: Place
        /// The button's label: a town has its state or country.
        let label: String
        /// The button's value: `venue.17` for the place of an own event, `town.San Jose, CA 95113` for a gazetteer
        /// entry.
        let step: String

        /// The place of one of the account's own events.
        static func venue(_ event: ID<Event>, _ place: Place) -> Choice {
            Choice(place: place, label: place.line, step: "venue.\(event)")
        }

        /// A gazetteer entry: a town or a ZIP code, without a street.
        static func town(_ match: Gazetteer.Match) -> Choice {
            Choice(place: Place(match), label: match.label, step: "town.\(match.label)")
        }
    }

    /// The most recently used places offered before anything is typed, and the most choices in total.
    static let mostUsed = 6, most = 10
}

extension Place {
    init(_ match: Gazetteer.Match) {
        self.init(address: Address(city: match.name, state: match.region, zip: match.zip, country: match.country))
    }

    /// Whether each of these words begins one of the place's words.
    func has(_ words: String) -> Bool { SearchWords.holds(line, words) }
}

extension Sequence<Place> {
    /// Places inside an event, each name once, preferably with a position.
    var knownBest: [Place] {
        var known: [Place] = []
        var byName: [String: Int] = [:]
        for place in self {
            let name = folded(place.name)
            if let index = byName[name] {
                known[index].coordinate = known[index].coordinate ?? place.coordinate
            } else {
                byName[name] = known.count
                known.append(place)
            }
        }
        return known
    }
}
