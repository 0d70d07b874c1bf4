import Forms
import Templating

extension Opportunity {
    /// The public facts, without anything about helpers.
    ///
    /// - Parameter site: The site's public URL.
    func json(site: String, at now: Instant) -> JSON {
        let day: JSON = until.map { JSON.string($0.iso) } ?? .null
        let asOf: JSON = fund?.asOf.map { JSON.string($0.iso) } ?? .null
        let shift: JSON = (isOpen(at: now) ? next?.json(in: zone) : nil) ?? .null
        let things: (JSON, JSON) = wanted > 0 ? (.integer(wanted), .integer(promised)) : (.null, .null)
        return .object([
            ("id", .integer(Int(id.rawValue))), ("url", .string(site + link.string)), ("kind", .string(kind.rawValue)),
            ("title", .string(title)), ("description", .string(description)), ("language", JSON(language?.tag ?? "")),
            ("conditions", JSON(conditions)),
            ("link", mayLeadOut(at: now) ? JSON(url) : .null), ("schedule", .string(rhythm.rawValue)),
            ("hours", JSON(hours)), ("age_from", JSON(ageFrom)), ("with_adult", .bool(withAdult)),
            ("children", .bool(isWithChildren)), ("home", .bool(isAtHome)), ("approval", .bool(asksFirst)),
            ("until", day), ("next_shift", shift), ("wanted", things.0), ("promised", things.1),
            ("goal", fund?.goal.json ?? .null), ("amount", fund?.amount?.json ?? .null), ("as_of", asOf),
            ("time_zone", .string(place.zone)),
            ("place_name", JSON(place.name)), ("place", place.isEmpty ? .null : place.address.json),
            ("coordinate", place.coordinate?.json ?? .null), ("tags", .array(tags.map { .string($0) })),
            ("is_open", .bool(isOpen(at: now))), ("provider", host.json(site: site)),
            ("created_at", .string(Zone.utc.timestamp(createdAt))),
            ("updated_at", .string(Zone.utc.timestamp(updatedAt))),
        ])
    }
}

extension Shift {
    fileprivate func json(in zone: Zone) -> JSON {
        [
            "starts_at": .string(zone.timestamp(startsAt)), "ends_at": .string(zone.timestamp(endsAt)),
            "spots": .integer(spots), "places_left": .integer(left),
        ]
    }
}

extension OpportunityFilter {
    /// The name of the first parameter that the filter doesn't understand: a page ignores it, a program gets an error.
    func unreadable(in query: FormBody) -> String? {
        let understood = (try? FormBody(query: link.string.drop { $0 != "?" }.dropFirst())) ?? FormBody()
        return query.entries.first { entry in
            let isEmpty = entry.value.allSatisfy(\.isWhitespace)
            // Selecting all kinds is the same as selecting none.
            let isAll = entry.name == "kind" && Opportunity.Kind(rawValue: entry.value) != nil
            return unread[entry.name] != nil
                || !isEmpty && !isAll && understood.all(entry.name).count < query.all(entry.name).count
                || isEmpty && !["q", "near"].contains(entry.name)
        }?.name
    }
}
