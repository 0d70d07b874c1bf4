import Templating

/// An event as other sites and search engines are told of it: all that the kept head of its page is drawn from.
struct ToldEvent: EventFacts {
    let id: ID<Event>
    let audience: Event.Audience
    let host: Event.Host
    let title: String
    let schedule: Schedule
    /// Without the link for participants.
    let venue: Venue
    let isOnline: Bool
    let admission: Admission
    let details: EventDetails
    let picture: Picture?
    let taken: Int
    let cancelledAt: Instant?
    let isHidden: Bool
    let isDrawn: Bool
    let createdAt: Instant
    /// The sessions to choose from, if there are any.
    let sessions: [Activity]
    /// Whether nobody can register now, and whether the number of places left is told.
    let isShut: Bool
    let saysRoom: Bool

    init(_ event: Event, sessions: [Activity], at now: Instant) {
        var venue = event.venue
        venue.onlineURL = ""
        id = event.id
        audience = event.audience
        host = event.host
        title = event.title
        schedule = event.schedule
        self.venue = venue
        isOnline = event.isOnline
        admission = event.admission
        details = event.details
        picture = event.picture
        taken = event.taken
        cancelledAt = event.cancelledAt
        isHidden = event.isHidden
        isDrawn = event.isDrawn
        createdAt = event.createdAt
        self.sessions = sessions
        isShut = !event.isOpen(at: now) || event.admission.window.isClosed(at: now)
        saysRoom = event.tellsRoom(at: now)
    }

    var language: WrittenLanguage? { details.language }
    var own: WrittenText { WrittenText(language: language, title: title, description: details.description) }
    var other: WrittenText? { details.other }
}

extension ToldEvent: PartInput {
    func add(to key: inout PartKey) {
        key.add(id)
        key.add(audience)
        key.add(host)
        key.add(title)
        key.add(schedule)
        key.add(venue)
        key.add(isOnline)
        key.add(admission)
        key.add(details)
        key.add(picture)
        key.add(taken)
        key.add(cancelledAt)
        key.add(isHidden)
        key.add(isDrawn)
        key.add(createdAt)
        key.add(sessions)
        key.add(isShut)
        key.add(saysRoom)
    }
}

extension ToldEvent {
    /// The event for search engines: schema.org's `Event`, with the properties that Google's documentation asks for.
    ///
    /// - Parameter site: The site's public URL.
    func linkedData(site: String) -> JSONLD {
        let url = site + link.string
        let zone = venue.clock
        let schema = "https://schema.org/"
        var members: [(name: String, value: JSON)] = [
            ("@context", "https://schema.org"), ("@type", "Event"), ("@id", .string(url)), ("url", .string(url)),
            ("name", .string(title)), ("description", .string(details.description)),
            ("startDate", .string(zone.timestamp(startsAt))),
            ("eventStatus", .string(schema + (isCancelled ? "EventCancelled" : "EventScheduled"))),
            ("eventAttendanceMode", .string(schema + attendance)),
            ("location", places(url)),
            ("organizer", organizer(site)),
        ]
        func add(_ name: String, _ value: JSON?) { if let value { members.append((name, value)) } }
        add("offers", isDrawn ? nil : offer(url, in: zone))
        add("maximumAttendeeCapacity", spots.map { .integer($0) })
        add("remainingAttendeeCapacity", saysRoom ? placesLeft.map { .integer($0) } : nil)
        add("endDate", end != nil ? .string(zone.timestamp(endsAt)) : nil)
        add("image", picture.map { .array([.string(site + $0.link(.full).string)]) })
        add("typicalAgeRange", ageRange.map { .string($0) })
        add("isAccessibleForFree", cost == nil ? nil : .bool(isFree))
        let languages = [language, other?.language].compactMap { $0 }.map { JSON.string($0.tag) }
        add("inLanguage", languages.isEmpty ? nil : languages.count == 1 ? languages[0] : .array(languages))
        add("keywords", details.tags.isEmpty ? nil : .string(details.tags.joined(separator: ", ")))
        add("subEvent", sessions.isEmpty ? nil : .array(sessions.map { part($0, of: url, site, in: zone) }))
        return JSONLD(.object(members))
    }

    /// One of the sessions.
    private func part(_ session: Activity, of url: String, _ site: String, in zone: Zone) -> JSON {
        [
            "@type": "Event", "name": .string(session.name),
            "url": .string(site + Link.activity(session.id, of: id).string),
            "startDate": .string(zone.timestamp(session.startsAt)),
            "endDate": .string(zone.timestamp(session.endsAt)),
            "eventStatus": "https://schema.org/EventScheduled", "location": places(url),
        ]
    }

    private func organizer(_ site: String) -> JSON {
        guard let link = host.link else { return ["@type": "Person", "name": .string(host.name)] }
        return ["@type": "Organization", "name": .string(host.name), "url": .string(site + link.string)]
    }

    private var attendance: String {
        switch (isOnline, venue.isInPerson) {
        case (true, true): "MixedEventAttendanceMode"
        case (true, false): "OnlineEventAttendanceMode"
        default: "OfflineEventAttendanceMode"
        }
    }

    /// The location. For an online event it is the event's page: the link itself is for participants.
    private func places(_ url: String) -> JSON {
        var places: [JSON] = []
        let address = venue.address
        if venue.isInPerson {
            var members: [(name: String, value: JSON)] = [
                ("@type", "Place"),
                (
                    "name",
                    .string(
                        !venue.name.isEmpty ? venue.name : address.street.isEmpty ? address.city : address.street)
                ),
                (
                    "address",
                    [
                        "@type": "PostalAddress", "streetAddress": .string(address.street),
                        "addressLocality": .string(address.city), "addressRegion": .string(address.state),
                        "postalCode": .string(address.zip), "addressCountry": .string(address.country),
                    ]
                ),
            ]
            if let coordinate = venue.coordinate {
                members.append(
                    (
                        "geo",
                        [
                            "@type": "GeoCoordinates", "latitude": .number(coordinate.latitude),
                            "longitude": .number(coordinate.longitude),
                        ]
                    ))
            }
            places.append(.object(members))
        }
        if isOnline { places.append(["@type": "VirtualLocation", "url": .string(url)]) }
        return places.count == 1 ? places[0] : .array(places)
    }

    private func offer(_ url: String, in zone: Zone) -> JSON {
        let availability = isFull || isShut ? "SoldOut" : isNearlyFull ? "LimitedAvailability" : "InStock"
        var members: [(name: String, value: JSON)] = [
            ("@type", "Offer"), ("url", .string(url)),
            ("availability", .string("https://schema.org/\(availability)")),
            ("validFrom", .string(zone.timestamp(admission.window.opensForAll ?? createdAt))),
        ]
        if let closesAt = admission.window.closesAt {
            members.append(("validThrough", .string(zone.timestamp(closesAt))))
        }
        // Zero means free, but for a pay-what-you-can event it isn't a price.
        if let price, price.minorUnits > 0 || isFree {
            members.append(("price", .string(price.decimal)))
            members.append(("priceCurrency", .string(price.currency)))
        }
        return .object(members)
    }

    /// In schema.org's format: `3-9`, `3-`, `-9`.
    private var ageRange: String? {
        ageFrom == nil && ageTo == nil ? nil : "\(ageFrom.map(String.init) ?? "")-\(ageTo.map(String.init) ?? "")"
    }
}
