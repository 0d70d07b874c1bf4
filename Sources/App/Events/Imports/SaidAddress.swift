/// A calendar's place in one line, with an address at its end: `East Branch, 5 Elm St, San Jose, CA 95112` or
/// `Stadtbücherei, Hauptstr. 5, 70173 Stuttgart`.
struct SaidAddress {
    /// The text before the address; possibly empty.
    let name: String
    let address: Address

    /// - Parameters:
    ///   - text: Its parts have commas or line breaks between them.
    ///   - country: The country whose order of town and code is tried.
    /// - Returns: Nil if it isn't certain that the text ends with a street and a town: a room or a name has no address.
    init?(_ text: String, country: String) {
        var parts = text.split { $0 == "," || $0.isNewline }.map(Self.tidy).filter { !$0.isEmpty }
        if let last = parts.last, Self.isName(last, of: country) { parts.removeLast() }
        guard let town = country == "US" ? Self.townInUS(&parts) : Self.town(&parts) else { return nil }
        // In the US the number is first, and a later number may be a room's: `150 Main St, Suite 2`. Elsewhere it is
        // last.
        let isStreet: (String) -> Bool = { part in
            let words = part.split(separator: " ")
            let number = country == "US" ? words.first : words.dropFirst().last { $0.first?.isNumber ?? false }
            return words.count > 1 && number?.first?.isNumber ?? false
        }
        guard let start = parts.lastIndex(where: isStreet) else { return nil }
        let street = parts[start...].joined(separator: ", ")
        guard street.count <= 120, town.city.count <= 80 else { return nil }
        name = parts[..<start].joined(separator: ", ")
        address = Address(street: street, city: town.city, state: town.state, zip: town.zip, country: country)
    }

    /// A part with single blanks between its words.
    static func tidy(_ part: Substring) -> String { part.split(whereSeparator: \.isWhitespace).joined(separator: " ") }

    /// `San Jose, CA 95112`, `San Jose CA 95112`.
    private static func townInUS(_ parts: inout [String]) -> (city: String, state: String, zip: String)? {
        var words = parts.popLast()?.split(separator: " ").map(String.init) ?? []
        let zip = words.last.flatMap { isZIP($0) ? $0 : nil } ?? ""
        if !zip.isEmpty { words.removeLast() }
        // Without a code behind it, it may be the end of a street: `Oak Ct`.
        guard let last = words.popLast(),
            let state = Country.states.first(where: { $0.code == (zip.isEmpty ? last : last.uppercased()) })
        else { return nil }
        let city = words.isEmpty ? parts.popLast() : words.joined(separator: " ")
        guard let city, !city.contains(where: \.isNumber) else { return nil }
        return (city, state.code, zip)
    }

    /// `70173 Stuttgart`.
    private static func town(_ parts: inout [String]) -> (city: String, state: String, zip: String)? {
        let words = parts.popLast()?.split(separator: " ").map(String.init) ?? []
        guard words.count > 1, let zip = words.first, 4...6 ~= zip.count, zip.allSatisfy(\.isNumber) else {
            return nil
        }
        let city = words.dropFirst().joined(separator: " ")
        return city.contains(where: \.isNumber) ? nil : (city, "", zip)
    }

    private static func isZIP(_ word: String) -> Bool {
        let parts = word.split(separator: "-", omittingEmptySubsequences: false)
        return zip(parts, [5, 4]).allSatisfy { $0.count == $1 && $0.allSatisfy(\.isNumber) } && parts.count <= 2
    }

    private static func isName(_ word: String, of country: String) -> Bool {
        Country.code(typed: word) == country
    }
}

extension Address {
    /// Whether street, town and code are written alike.
    func isSame(as other: Address) -> Bool {
        let (one, two) = ([street, city, zip], [other.street, other.city, other.zip])
        return country == other.country && one.map(folded) == two.map(folded)
    }
}

/// Places by what calendars call them. Each is folded once, because folding is slow and a calendar has thousands of
/// entries.
struct KnownPlaces: Sendable {
    private let all: [Place]
    /// The first place with this name, or this name and address on one line.
    private var byText: [String: Int] = [:]
    private var byName: [String: [Int]] = [:]

    init(_ places: [Place]) {
        all = places
        for (index, place) in places.enumerated() {
            let name = folded(place.name)
            byName[name, default: []].append(index)
            for text in [folded(place.line), name] where !text.isEmpty && byText[text] == nil { byText[text] = index }
        }
    }

    /// The place with this name, or this name and address on one line.
    ///
    /// - Parameter said: A folded text.
    func called(_ said: String) -> Place? { byText[said].map { all[$0] } }

    /// All places with a name.
    func named(_ name: String) -> [Place] { (byName[folded(name)] ?? []).map { all[$0] } }
}
