import Forms

/// The place of an event.
struct Venue: Sendable, Equatable {
    /// The place's name: `Willow field, north gate`; possibly empty.
    var name = ""
    var address: Address
    /// Its time zone, such as `America/Los_Angeles`.
    var zone: String
    /// The address for participating online; only participants see it.
    var onlineURL = ""
    /// Its position on the map.
    var coordinate: Coordinate?

    /// The zone of its times.
    var clock: Zone { Zone(stored: zone) }

    /// Whether it can be attended online.
    var isOnline: Bool { !onlineURL.isEmpty }

    /// Whether it can be attended in person: it has a street or town.
    var isInPerson: Bool { !address.city.isEmpty }

    /// Name and address on one line: `Willow field, 180 Park Ave, San Jose, CA 95113`.
    var line: String { name.isEmpty ? address.line : "\(name), \(address.line)" }
}

/// The conditions for attending an event.
struct Admission: Sendable, Equatable {
    /// The number of places; nil for no limit. For an event with sessions, the sum of theirs.
    var spots: Int?
    var ageFrom: Int?
    var ageTo: Int?
    var price: Money?
    /// Pay what you can: the price is a suggestion.
    var isPriceOpen = false
    /// Whether families can still register while it is taking place.
    var takesLate = false
    var covidSafe = false
    /// How families register if there are several dates.
    var booking = Series.Booking.each
    /// When families can register.
    var window = Window()
    /// Whether families choose sessions for each child.
    var hasSessions = false
}

/// The texts about an event.
struct EventDetails: Sendable, Equatable {
    /// Plain text.
    var description: String
    var tags: [String] = []
    /// What to bring.
    var bring = ""
    /// What to know about health and safety.
    var safety = ""
    var amenities: [Amenity] = []
    /// The language of title and description; nil if unknown.
    var language: WrittenLanguage?
    /// Title and description in another language.
    var other: WrittenText?
}
