import Forms

/// The form for a need.
struct NeedForm: PinForm, PicturedForm {
    var kind: Need.Kind?
    var title = ""
    var description = ""
    var count: Int?
    var until: Day?
    var days: Int?
    var isHome = false
    var isLasting = false
    /// The photo.
    var picture: ID<Picture>?
    var pictureAlt: String?
    /// Whether to remove the photo.
    var isPictureOff = false
    var hasConsent = false
    var latitude: String?
    var longitude: String?
    var placeName: String?
    var street = ""
    var city = ""
    var state = ""
    var zip = ""
    var country = ""

    static let statePath: any WritableKeyPath<NeedForm, String> & Sendable = \.state
    static let zipPath: any WritableKeyPath<NeedForm, String> & Sendable = \.zip

    static let fields: [Field<NeedForm>] = [
        .choice("kind", \.kind, "What kind", options: Need.Kind.choices).drawn(as: .radios).narrow.conditional,
        .text("title", \.title, "What is needed", 3...100)
            .hint(
                """
                Such as: three warm blankets, a ladder for one afternoon, somebody who mends bikes. Of a place that \
                gives: what it is called.
                """
            ).missing("Say what is needed."),
        .area("description", \.description, "What it is for, and what to know", 5...1_000)
            .hint("Nobody has to say for whom it is.").missing("Say a little more."),
        .number("count", \.count, "How many", 1...1_000).narrow.hint("Things, times or people. If empty, it is 1."),
        .date("until", \.until, "Until").conditional.hint("At most 90 days from now."),
        .number("days", \.days, "A promise runs out after so many days", 1...30).narrow.hint("If empty, it is 5."),
        .checkbox("all_year", \.isLasting, "It gives all year")
            .hint("Somebody who runs this site makes sure of it, and again every six months."),
        .hidden(pictureNames.stored, \.picture),
        .file(pictureFile, "Photo", accept: "image/*")
            .hint("At most 10 MB. Of the thing or the place, not of people. Where it was taken is removed from it."),
        .text("photo_alt", \.pictureAlt, "What does the photo show?", 1...Picture.altLimit)
            .hint("Read aloud to those who can’t see it."),
        .checkbox(pictureNames.removal, \.isPictureOff, "Take the photo off"),
        .checkbox("consent", \.hasConsent, "I may publish this photo"),
        .checkbox("is_home", \.isHome, "It is needed at a home")
            .hint(
                "Only the people you say yes to see the street, until it is over. Others see a pin some streets away."
            ),
        .text("place_name", \.placeName, "Name of the place", 1...80).checked(Name.problem),
        .country(\.country),
        .text("address", \.street, "Street and number", 0...120).conditional.autocomplete("address-line1"),
        .text("city", \.city, "City or town", 0...80).conditional.autocomplete("address-level2"),
        .state(\.state),
        .zip(\.zip),
        .text("lat", \.latitude, "Latitude", 1...20).autocomplete("off").inputmode("decimal").narrow,
        .text("lon", \.longitude, "Longitude", 1...20).autocomplete("off").inputmode("decimal").narrow,
    ]

    static let pictureNames = PictureNames("photo")
    static let pictureFields = ["photo", "photo_alt", "consent"]

    mutating func dropPicture() { (picture, pictureAlt, hasConsent) = (nil, nil, false) }

    init() {}

    /// A form to change a stored need.
    ///
    /// - Parameter pin: The pin, if it isn't at the address; unknown for a home.
    init(_ need: Need, pin: Coordinate?) {
        putPin(pin)
        kind = need.kind
        title = need.title
        description = need.description
        count = need.wanted
        until = need.isLasting ? nil : need.until
        isLasting = need.isLasting
        picture = need.picture?.id
        pictureAlt = need.picture.flatMap { $0.alt.isEmpty ? nil : $0.alt }
        hasConsent = need.picture != nil
        days = need.days
        isHome = need.place.isHome
        placeName = need.place.name.nonEmpty
        street = need.place.address.street
        city = need.place.address.city
        state = need.place.address.state
        zip = need.place.address.zip
        country = need.place.address.country
    }

    func check(_ submission: inout Submission<NeedForm>, stored: Need?, today: Day) {
        if kind == nil, submission.accepts(\.kind) { submission.reject(\.kind, "Choose what kind of need it is.") }
        if isLasting, kind != nil, kind != .place {
            submission.reject(\.isLasting, "Only a place that gives can give all year.")
        } else if isLasting, isHome {
            submission.reject(\.isLasting, "A home gives for a while: say until when.")
        }
        if until == nil, !isLasting, submission.accepts(\.until) { submission.reject(\.until, "Say until when.") }
        if let until, !isLasting, submission.accepts(\.until) {
            if until < today {
                submission.reject(\.until, "Choose a day that is still to come.")
            } else if until > today.advanced(by: Need.mostDays), until != stored?.until || stored?.isLasting == true {
                submission.reject(\.until, "Choose a day within \(Need.mostDays, as: "days") days.")
            }
        }
        if let stored, (count ?? 1) < stored.promised + stored.brought {
            submission.reject(
                \.count,
                Words(
                    "{count} is promised or offered: let there be at least as many.",
                    plural: "{count} are promised or offered: let there be at least as many.",
                    count: stored.promised + stored.brought))
        }
        if latitude != nil || longitude != nil, pin == nil {
            submission.reject(
                \.latitude, "Write both coordinates in degrees, like 37.3352 and -121.8811, or neither.")
        }
        if picture != nil, !hasConsent {
            submission.reject(\.hasConsent, "Say that you may publish the photo, or take it off.")
        }
        let isKnown = pin != nil || (stored?.place.coordinate != nil && stored?.place.address == address)
        if street.isEmpty, placeName == nil, !isKnown {
            submission.reject(\.street, "Give the address of the place.")
        }
        if city.isEmpty { submission.reject(\.city, "Give the city or town.") }
        submission.checkTown()
    }

    /// A pin is a location, too.
    var isNowhere: Bool { placeName == nil && street.isEmpty && pin == nil }

    /// The need it describes, not stored.
    func need(by author: Author, zone: Zone, today: Day) -> Need {
        let last = isLasting ? Need.forever : until ?? today
        var need = Need(
            id: ID(0), author: author, kind: kind ?? .things, title: title, description: description,
            wanted: count ?? 1, days: days ?? 5, until: last,
            endsAt: zone.instant(last.advanced(by: 1), .midnight),
            place: Need.Place(
                isHome: isHome, name: placeName ?? "", address: address))
        need.isLasting = isLasting
        return need
    }
}

/// The form for "I'll take it".
struct ClaimForm: Form {
    var count: Int?
    var message: String?

    static let fields: [Field<ClaimForm>] = [
        .number("count", \.count, "How many?", 1...1_000).narrow,
        .text("message", \.message, "A word to them", 1...300).autocomplete("off"),
    ]
}
