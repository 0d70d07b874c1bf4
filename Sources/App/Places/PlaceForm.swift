import Forms

/// A form that asks where something is: a name and an address, which a chosen place fills in. Its fields are called
/// `place_name`, `address`, `city`, `state`, `zip` and `country`.
protocol PlaceForm: TownForm {
    var placeName: String? { get set }
    var street: String { get set }
    var city: String { get set }
    var country: String { get set }
    /// Whether nothing says yet where it is; the town may be that of its author.
    var isNowhere: Bool { get }
    /// What the fields for a pin are called; empty where there are none.
    static var pinFields: [String] { get }
    /// Puts the pin there, or takes it off.
    mutating func putPin(_ coordinate: Coordinate?)
}

extension PlaceForm {
    static var pinFields: [String] { [] }

    var isNowhere: Bool { placeName == nil && street.isEmpty }

    /// The address as it was typed.
    var address: Address { Address(street: street, city: city, state: state, zip: zip, country: country) }

    mutating func putPin(_ coordinate: Coordinate?) {}
}

/// The same with a pin on the map, in fields called `lat` and `lon`.
protocol PinForm: PlaceForm {
    var latitude: String? { get set }
    var longitude: String? { get set }
}

extension PinForm {
    static var pinFields: [String] { ["lat", "lon"] }

    /// Where the pin is, if somebody put it somewhere.
    var pin: Coordinate? { Coordinate(typed: latitude, longitude) }

    mutating func putPin(_ coordinate: Coordinate?) {
        latitude = coordinate?.written.latitude
        longitude = coordinate?.written.longitude
    }
}

extension Submission where F: PlaceForm {
    /// Fills in a place that was chosen. One that is no more than a town leaves name and street as they are.
    mutating func put(_ place: Place) {
        let isMore = !place.name.isEmpty || !place.address.street.isEmpty
        let fields = ["country", "city", "state", "zip"] + F.pinFields
        fill(named: isMore ? ["place_name", "address"] + fields : fields) { form in
            if isMore {
                form.placeName = place.name.nonEmpty
                form.street = place.address.street
            }
            form.country = place.address.country
            form.city = place.address.city
            form.state = place.address.state
            form.zip = place.address.zip
            form.putPin(place.coordinate)
        }
    }
}

extension Submission where F: PinForm {
    /// Where the place has changed and the pin hasn't, it is still that of the old place: it is put anew.
    ///
    /// - Parameters:
    ///   - address: Where it is by what is stored.
    ///   - coordinate: Its pin, which the form showed as it is written.
    mutating func leavePin(at address: Address, _ coordinate: Coordinate?) {
        guard form.address != address, let pin = form.pin, let written = coordinate?.written,
            pin == Coordinate(typed: written.latitude, written.longitude)
        else { return }
        fill(named: F.pinFields) { $0.putPin(nil) }
    }
}
