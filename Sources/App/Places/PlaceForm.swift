import Forms

/// A form that asks for a location: a name and an address, which choosing a place fills in. Its fields are
/// `place_name`, `address`, `city`, `state`, `zip` and `country`.
protocol PlaceForm: TownForm {
    var placeName: String? { get set }
    var street: String { get set }
    var city: String { get set }
    var country: String { get set }
    /// Whether no location has been given yet; the town may be the author's.
    var isNowhere: Bool { get }
    /// The names of the fields for a pin; empty if there are none.
    static var pinFields: [String] { get }
    /// Sets or removes the pin.
    mutating func putPin(_ coordinate: Coordinate?)
}

extension PlaceForm {
    static var pinFields: [String] { [] }

    var isNowhere: Bool { placeName == nil && street.isEmpty }

    /// The typed address.
    var address: Address { Address(street: street, city: city, state: state, zip: zip, country: country) }

    mutating func putPin(_ coordinate: Coordinate?) {}
}

/// A place form with a pin on the map, in the fields `lat` and `lon`.
protocol PinForm: PlaceForm {
    var latitude: String? { get set }
    var longitude: String? { get set }
}

extension PinForm {
    static var pinFields: [String] { ["lat", "lon"] }

    /// The pin's position, if there is one.
    var pin: Coordinate? { Coordinate(typed: latitude, longitude) }

    mutating func putPin(_ coordinate: Coordinate?) {
        latitude = coordinate?.written.latitude
        longitude = coordinate?.written.longitude
    }
}

extension Submission where F: PlaceForm {
    /// Fills in a chosen place. A bare town leaves name and street unchanged.
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
    /// Removes the pin if the address changed and the pin didn't: it marked the old place.
    ///
    /// - Parameters:
    ///   - address: The stored address.
    ///   - coordinate: The stored pin, which the form showed.
    mutating func leavePin(at address: Address, _ coordinate: Coordinate?) {
        guard form.address != address, let pin = form.pin, let written = coordinate?.written,
            pin == Coordinate(typed: written.latitude, written.longitude)
        else { return }
        fill(named: F.pinFields) { $0.putPin(nil) }
    }
}
