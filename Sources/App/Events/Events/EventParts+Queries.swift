import Database

extension Venue: RowDecodable {
    /// `point` must be joined.
    static let columns: Columns =
        ["event.place_name"] + Address.columns + ["event.zone", "event.online_url"] + Coordinate.columns

    init(row: inout Row) throws {
        self.init(
            name: try row.next(), address: try row.next(), zone: try row.next(), onlineURL: try row.next(),
            coordinate: try row.next())
    }

    func stored(in db: Connection) throws -> Assignments {
        address.stored + [
            "place_name": name, "city_key": Folding.townKey(address.city), "zone": zone, "online_url": onlineURL,
            "point_id": try coordinate.map { try Point.id(at: $0, in: db) },
        ]
    }
}

extension Admission: RowDecodable {
    static let columns: Columns =
        [
            "event.spots", "event.age_from", "event.age_to", "event.price", "event.currency",
            "event.pays_what_they_can",
            "event.late", "event.covid_safe", "event.booking",
        ] + Window.columns + ["event.sessions"]

    init(row: inout Row) throws {
        self.init(
            spots: try row.next(), ageFrom: try row.next(), ageTo: try row.next(), price: try row.next(),
            isPriceOpen: try row.next(), takesLate: try row.next(), covidSafe: try row.next(),
            booking: try row.next(), window: try row.next(),
            hasSessions: try row.next())
    }

    /// For an event with sessions it omits the sums of their places, which are computed when the sessions are written.
    var stored: Assignments {
        [
            "sessions": hasSessions, "spots": hasSessions ? nil : spots,
            "age_from": ageFrom, "age_to": ageTo, "price": price?.minorUnits,
            "currency": price?.currency ?? "", "pays_what_they_can": isPriceOpen, "late": takesLate,
            "covid_safe": covidSafe, "booking": booking, "opens_at": window.opensAt, "closes_at": window.closesAt,
            "first_zips": window.firstZIPs.joined(separator: "\n"), "first_until": window.firstUntil,
        ]
    }
}

extension Money: RowDecodable {
    static let columns: Columns = ["event.price", "event.currency"]

    init(row: inout Row) throws { self.init(minorUnits: try row.next(), currency: try row.next()) }
}

extension EventDetails: RowDecodable {
    static let columns: Columns = [
        "event.description", "event.tags", "event.bring", "event.safety", "event.access", "event.language",
        "event.other_language", "event.other_title", "event.other_description",
    ]

    init(row: inout Row) throws {
        self.init(
            description: try row.next(), tags: (try row.next() as String).parts(at: ",").map(String.init),
            bring: try row.next(), safety: try row.next(), amenities: .init(bits: try row.next()),
            language: WrittenLanguage(typed: try row.next()), other: try WrittenText(other: &row))
    }

    var stored: Assignments {
        [
            "description": description, "synopsis": Event.synopsis(of: description),
            "tags": tags.joined(separator: ","), "bring": bring, "safety": safety, "access": amenities.bits,
            "language": language?.tag ?? "", "other_language": other?.language?.tag ?? "",
            "other_title": other?.title ?? "", "other_description": other?.description ?? "",
            "other_synopsis": Event.synopsis(of: other?.description ?? ""),
        ]
    }
}

extension WrittenText {
    /// The second language, title and description; nil if there is none.
    init?(other row: inout Row) throws {
        let language = WrittenLanguage(typed: try row.next())
        self.init(language: language, title: try row.next(), description: try row.next())
        if language == nil { return nil }
    }
}

extension EventTitle: RowDecodable {
    static let columns: Columns = [
        "event.title", "event.language", "event.other_language", "event.other_title", "event.other_synopsis",
    ]

    init(row: inout Row) throws {
        self.init(
            title: try row.next(), language: WrittenLanguage(typed: try row.next()),
            other: try WrittenText(other: &row))
    }
}

extension Event.Host: RowDecodable {
    /// `account` must be joined, and its `provider` if there is one.
    static let columns: Columns =
        [
            "account.id", "account.username", "coalesce(provider.organization, account.username)",
            "provider.first_name || ' ' || provider.last_name", Portrait.ofProvider,
        ] + Verified.columns

    init(row: inout Row) throws {
        self.init(
            id: try row.next(), username: try row.next(), name: try row.next(), person: try row.next(),
            portrait: try row.next(), verified: try row.next())
    }
}
