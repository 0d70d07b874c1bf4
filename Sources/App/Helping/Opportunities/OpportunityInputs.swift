import Forms
import Templating

// What the kept card of a way to help is drawn from (`Templating/Drawn.swift`).

extension Opportunity: PartInput {
    func add(to key: inout PartKey) {
        key.add(id)
        key.add(kind)
        key.add(host)
        key.add(title)
        key.add(description)
        key.add(language)
        key.add(conditions)
        key.add(url)
        key.add(rhythm)
        key.add(hours)
        key.add(ageFrom)
        key.add(withAdult)
        key.add(isAtHome)
        key.add(isWithChildren)
        key.add(asksFirst)
        key.add(fund)
        key.add(until)
        key.add(place)
        key.add(tags)
        key.add(wanted)
        key.add(promised)
        key.add(endsAt)
        key.add(isClosed)
        key.add(isHidden)
        key.add(isHiddenByStaff)
        key.add(createdAt)
        key.add(updatedAt)
        key.add(closeReason)
        key.add(next)
        key.add(distance)
    }
}

extension Opportunity.Kind: PartInput {}
extension Opportunity.Rhythm: PartInput {}

extension Opportunity.Fund: PartInput {
    func add(to key: inout PartKey) {
        key.add(goal)
        key.add(amount)
        key.add(asOf)
    }
}

extension Opportunity.Place: PartInput {
    func add(to key: inout PartKey) {
        key.add(name)
        key.add(address)
        key.add(zone)
        key.add(point)
        key.add(coordinate)
    }
}

extension Shift: PartInput {
    func add(to key: inout PartKey) {
        key.add(id)
        key.add(day)
        key.add(start)
        key.add(end)
        key.add(startsAt)
        key.add(endsAt)
        key.add(spots)
        key.add(taken)
        key.add(lead)
    }
}

extension Coordinate: PartInput {
    func add(to key: inout PartKey) {
        key.add(latitude)
        key.add(longitude)
    }
}
