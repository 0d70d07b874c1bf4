import Forms

/// Asking for something.
struct NeedForm: TownForm {
    var kind: Need.Kind?
    var title = ""
    var description = ""
    var count: Int?
    var until: Day?
    var days: Int?
    var isHome = false
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
        .text("title", \.title, "What is needed", 3...100).autocomplete("off")
            .hint("Such as: three warm blankets, a ladder for one afternoon.").missing("Say what is needed."),
        .area("description", \.description, "What it is for, and what to know", 5...1_000)
            .hint("Nobody has to say for whom it is.").missing("Say a little more."),
        .number("count", \.count, "How many", 1...1_000).narrow.hint("1 without a number."),
        .date("until", \.until, "Until").conditional.hint("At most 90 days from now."),
        .number("days", \.days, "A promise runs out after so many days", 1...30).narrow.hint("5 without a number."),
        .checkbox("is_home", \.isHome, "It is needed at a home")
            .hint(
                "Only whoever you say yes to sees the street, until it is over. Others see a pin some streets away."
            ),
        .text("place_name", \.placeName, "Name of the place", 1...80).autocomplete("off"),
        .country(\.country),
        .text("address", \.street, "Street and number", 0...120).conditional.autocomplete("address-line1"),
        .text("city", \.city, "City or town", 0...80).conditional.autocomplete("address-level2"),
        .state(\.state),
        .zip(\.zip),
    ]

    init() {}

    /// A stored one, to be changed.
    init(_ need: Need) {
        kind = need.kind
        title = need.title
        description = need.description
        count = need.wanted
        until = need.until
        days = need.days
        isHome = need.place.isHome
        placeName = need.place.name.isEmpty ? nil : need.place.name
        street = need.place.address.street
        city = need.place.address.city
        state = need.place.address.state
        zip = need.place.address.zip
        country = need.place.address.country
    }

    func check(_ submission: inout Submission<NeedForm>, stored: Need?, today: Day) {
        if kind == nil, submission.accepts(\.kind) { submission.reject(\.kind, "Choose what kind of need it is.") }
        if until == nil, submission.accepts(\.until) { submission.reject(\.until, "Say until when.") }
        if let until, submission.accepts(\.until) {
            if until < today {
                submission.reject(\.until, "Choose a day that is still to come.")
            } else if until > today.advanced(by: Need.mostDays), until != stored?.until {
                submission.reject(\.until, "Choose a day within \(Need.mostDays, as: "days") days.")
            }
        }
        if let stored, (count ?? 1) < stored.promised + stored.brought {
            submission.reject(
                \.count,
                Words(
                    "{count} is promised: let there be at least as many.",
                    plural: "{count} are promised: let there be at least as many.",
                    count: stored.promised + stored.brought))
        }
        if street.isEmpty, placeName == nil { submission.reject(\.street, "Give the address of the place.") }
        if city.isEmpty { submission.reject(\.city, "Give the city or town.") }
        submission.checkTown()
    }

    /// What it means, stored nowhere.
    func need(by author: Author, zone: Zone, today: Day) -> Need {
        let last = until ?? today
        return Need(
            id: ID(0), author: author, kind: kind ?? .things, title: title, description: description,
            wanted: count ?? 1, days: days ?? 5, until: last,
            endsAt: zone.instant(last.advanced(by: 1), .midnight),
            place: Need.Place(
                isHome: isHome, name: placeName ?? "",
                address: Address(street: street, city: city, state: state, zip: zip, country: country)))
    }
}

/// "I'll take it".
struct ClaimForm: Form {
    var count: Int?
    var message: String?

    static let fields: [Field<ClaimForm>] = [
        .number("count", \.count, "How many?", 1...1_000).narrow,
        .text("message", \.message, "A word to them", 1...300).autocomplete("off"),
    ]
}
