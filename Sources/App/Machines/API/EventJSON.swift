import Templating

// The objects of `/api`. Names match the forms' where there is one; `OpenAPI.swift` describes them.

extension Event {
    /// The public facts: not who comes, nor the link for participating online.
    ///
    /// - Parameters:
    ///   - site: The site's public URL.
    ///   - sessions: The sessions to choose from, if there are any.
    ///   - draw: The draw that assigns its places: there is no registration before it.
    func json(site: String, sessions: [Activity], draw: ID<Draw>?, at now: Instant) -> JSON {
        let zone = venue.clock
        let sessions = JSON.array(sessions.map { $0.json(of: self, site: site, at: now) })
        let left = tellsRoom(at: now) ? placesLeft : nil
        let values: [(String, JSON)] = [
            ("id", .integer(Int(id.rawValue))), ("url", .string(site + link.string)), ("title", .string(title)),
            ("audience", .string(audience.rawValue)),
            ("description", .string(details.description)), ("language", JSON(language?.tag ?? "")),
            ("other_text", other?.json ?? .null), ("starts_at", .string(zone.timestamp(startsAt))),
            ("ends_at", end != nil ? .string(zone.timestamp(endsAt)) : .null),
            ("time_zone", .string(zone.identifier)), ("is_cancelled", .bool(isCancelled)),
            ("cancel_reason", JSON(cancelReason)), ("is_online", .bool(isOnline)),
            ("place_name", JSON(venue.name)), ("place", isInPerson ? venue.address.json : .null),
            ("coordinate", venue.coordinate?.json ?? .null),
            ("spots", JSON(spots)), ("places_left", JSON(left)), ("age_from", JSON(ageFrom)),
            ("age_to", JSON(ageTo)), ("price", price?.json ?? .null), ("pay_what_you_can", .bool(isPriceOpen)),
            ("late", .bool(takesLate)), ("sessions", sessions),
            ("draw", draw.map { .string(site + Link.draw($0).string) } ?? .null),
            ("registration_opens_at", admission.window.opensForAll.map { .string(zone.timestamp($0)) } ?? .null),
            ("registration_closes_at", admission.window.closesAt.map { .string(zone.timestamp($0)) } ?? .null),
            ("covid_safe", .bool(covidSafe)), ("bring", JSON(details.bring)), ("safety", JSON(details.safety)),
            ("access", .array(details.amenities.map { .string($0.rawValue) })),
            ("tags", .array(details.tags.map { .string($0) })),
            ("picture", picture?.json(site: site) ?? .null), ("provider", host.json(site: site)),
            ("created_at", .string(Zone.utc.timestamp(createdAt))),
            ("updated_at", .string(Zone.utc.timestamp(updatedAt))),
        ]
        return .object(values)
    }
}

extension Activity {
    /// A session of an event.
    fileprivate func json(of event: Event, site: String, at now: Instant) -> JSON {
        let zone = event.venue.clock
        let left = room(at: event, now: now) == nil ? nil : placesLeft
        return [
            "id": .integer(Int(id.rawValue)), "url": .string(site + Link.activity(id, of: event.id).string),
            "name": .string(content.name), "description": JSON(content.info), "place_name": JSON(content.place),
            "starts_at": .string(zone.timestamp(startsAt)), "ends_at": .string(zone.timestamp(endsAt)),
            "spots": JSON(content.spots), "places_left": JSON(left), "age_from": JSON(content.ageFrom),
            "age_to": JSON(content.ageTo),
        ]
    }
}

extension WrittenText {
    var json: JSON {
        ["language": JSON(language?.tag ?? ""), "title": .string(title), "description": .string(description)]
    }
}

extension Event.Host {
    func json(site: String) -> JSON {
        [
            "username": .string(username), "organization": isOrganization ? .string(name) : .null,
            "url": link.map { .string(site + $0.string) } ?? .null,
        ]
    }
}

extension Provider {
    /// The content of its public page.
    ///
    /// - Parameter total: The results of helping there; nil if helping is switched off.
    func json(site: String, _ total: OrganizationTotal?, at now: Instant) -> JSON {
        let mark: JSON = verified.map { $0.holds(at: now) ? JSON.string($0.checked) : JSON.null } ?? .null
        let place: JSON = kind.map { JSON.string($0.rawValue) } ?? .null
        let page: [(name: String, value: JSON)] = [
            ("username", .string(username)), ("url", .string(site + Link.provider(username).string)),
            ("organization", .string(organization)), ("person", .string(person)),
            ("designation", .string(designation)), ("place", address.json), ("phone", .string(phone)),
            ("email", JSON(email ?? "")), ("website", JSON(website ?? "")), ("scope", JSON(scope ?? "")),
            ("mission", JSON(mission ?? "")), ("kind", place), ("asks", JSON(asks ?? "")), ("verified", mark),
        ]
        return .object(page + (total.map(\.json) ?? []))
    }
}

extension OrganizationTotal {
    fileprivate var json: [(name: String, value: JSON)] {
        let stars: JSON = tenths.map { JSON.number(Double($0) / 10) } ?? .null
        return [
            ("followers", .integer(followers)), ("helpers", .integer(helpers)), ("minutes", .integer(minutes)),
            ("reviews", .integer(reviews)), ("stars", stars),
        ]
    }
}

extension Family {
    /// Only for the family itself.
    func json(_ children: [Child]) -> JSON {
        [
            "first_name": .string(firstName), "last_name": .string(lastName), "city": .string(city),
            "zip": .string(zip), "country": .string(country), "phone": JSON(phone ?? ""),
            "number_of_children": JSON(numberOfChildren),
            "age_groups": .array(ageGroups.map { .string($0.rawValue) }),
            "children": .array(
                children.map { child in
                    [
                        "id": .integer(Int(child.id.rawValue)), "nickname": .string(child.nickname),
                        "birth_month": .integer(child.birthMonth), "birth_year": .integer(child.birthYear),
                    ]
                }),
        ]
    }
}

extension Address {
    var json: JSON {
        [
            "address": JSON(street), "city": .string(city), "state": JSON(state), "zip": JSON(zip),
            "country": .string(country), "line": .string(line),
        ]
    }
}

extension Coordinate {
    var json: JSON { ["latitude": .number(latitude), "longitude": .number(longitude)] }
}

extension Money {
    var json: JSON { ["amount": .string(decimal), "currency": .string(currency)] }
}

extension Picture {
    fileprivate func json(site: String) -> JSON {
        [
            "url": .string(site + link(.full).string), "width": .integer(width), "height": .integer(height),
            "alt": .string(alt),
        ]
    }
}

extension JSON {
    /// `null` if the text is empty.
    init(_ text: String) { self = text.isEmpty ? .null : .string(text) }

    init(_ number: Int?) { self = number.map { .integer($0) } ?? .null }
}
