import Forms
import Templating

// What the kept parts of events are drawn from (`Templating/Drawn.swift`).

extension EventCard: PartInput {
    func add(to key: inout PartKey) {
        key.add(id)
        key.add(host)
        key.add(audience)
        key.add(title)
        key.add(synopsis)
        key.add(schedule)
        key.add(placeName)
        key.add(street)
        key.add(city)
        key.add(country)
        key.add(admission)
        key.add(taken)
        key.add(motif)
        key.add(cancelledAt)
        key.add(isHidden)
        key.add(isOnline)
        key.add(picture)
        key.add(pointID)
        key.add(createdAt)
        key.add(portrait)
        key.add(distance)
        key.add(couldCome)
        key.add(hiddenReason)
        key.add(isTogether)
        key.add(saysDay)
        key.add(language)
        key.add(other)
        key.add(isDrawn)
    }
}

extension CardList: NamedInput {
    func add(to key: inout PartKey) {
        // Among the lists that are kept, each has a number of its own.
        key.add(found.number)
        key.add(order)
        key.add(today)
        key.add(first)
    }
}

extension EventFilter.Sort: PartInput {}

extension EventPhase: PartInput {
    func add(to key: inout PartKey) {
        key.add(remaining)
        key.add(isOnNow)
        key.add(tellsRoom)
        key.add(window)
    }
}

extension Event.Host: PartInput {
    func add(to key: inout PartKey) {
        key.add(id)
        key.add(username)
        key.add(name)
        key.add(person)
        key.add(portrait)
        key.add(verified)
    }
}

extension Verified: PartInput {
    func add(to key: inout PartKey) {
        key.add(checked)
        key.add(at)
        key.add(until)
    }
}

extension Venue: PartInput {
    func add(to key: inout PartKey) {
        key.add(name)
        key.add(address)
        key.add(zone)
        key.add(onlineURL)
        key.add(coordinate)
    }
}

extension EventDetails: PartInput {
    func add(to key: inout PartKey) {
        key.add(description)
        key.add(tags)
        key.add(bring)
        key.add(safety)
        key.add(amenities)
        key.add(language)
        key.add(other)
    }
}

extension Activity: PartInput {
    func add(to key: inout PartKey) {
        key.add(id)
        key.add(content)
        key.add(taken)
        key.add(cancelledAt)
    }
}

extension Activity.Content: PartInput {
    func add(to key: inout PartKey) {
        key.add(name)
        key.add(info)
        key.add(place)
        key.add(coordinate)
        key.add(schedule)
        key.add(spots)
        key.add(ageFrom)
        key.add(ageTo)
    }
}

extension Amenity: PartInput {}
extension Event.Audience: PartInput {}
extension Series.Booking: PartInput {}
extension Motif: PartInput {}
extension Distance.Unit: PartInput {}

extension Admission: PartInput {
    func add(to key: inout PartKey) {
        key.add(spots)
        key.add(ageFrom)
        key.add(ageTo)
        key.add(price)
        key.add(isPriceOpen)
        key.add(takesLate)
        key.add(covidSafe)
        key.add(booking)
        key.add(window)
        key.add(hasSessions)
    }
}

extension Window: PartInput {
    func add(to key: inout PartKey) {
        key.add(opensAt)
        key.add(closesAt)
        key.add(firstZIPs)
        key.add(firstUntil)
    }
}

extension Picture: PartInput {
    func add(to key: inout PartKey) {
        key.add(id)
        key.add(hash)
        key.add(alt)
        key.add(width)
        key.add(height)
        key.add(focus)
    }
}

extension Portrait: PartInput {
    func add(to key: inout PartKey) { key.add(hash) }
}

extension Distance: PartInput {
    func add(to key: inout PartKey) {
        key.add(kilometres)
        key.add(unit)
    }
}
