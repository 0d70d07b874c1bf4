import Forms
import Templating

/// A calendar of events for calendar programs.
struct EventCalendar: Sendable {
    /// Its title in programs.
    let name: String
    /// The site's public URL, such as `https://village.example`.
    let site: String
    /// The site's host, which together with an event's number forms a permanent ID.
    let host: String
    /// The calendar's language.
    let language: Language
    let entries: [Entry]
    /// The sender and recipient of a calendar in a letter; nil for a published calendar.
    var move: Move?

    /// Calendars by mail, which programs process automatically (RFC 5546): sent by the site to a registered member,
    /// with no reply requested.
    struct Move: Sendable {
        /// The site's address and name.
        let organizer: (email: String, name: String)
        /// The member's address.
        let attendee: String
        /// Whether it removes an event.
        let isCancelled: Bool

        var method: String { isCancelled ? "CANCEL" : "REQUEST" }
    }

    /// An entry in the calendar.
    struct Entry: Sendable {
        let event: Event
        /// Its permanent ID on this site.
        var uid: String
        /// Its page.
        var link: Link
        /// The location of an entry without an address.
        var location = ""
        /// The initials of the family's participants: `A.O., L.`; empty in a public calendar.
        var who = ""
        var isCancelled: Bool
        /// Whether somebody still has to say yes.
        var isTentative = false
        /// Rises with each change.
        var sequence: Int
        var updatedAt: Instant
        /// Whether the calendar is private and therefore contains the link for participating online.
        var isPrivate = false

        /// The public entry for an event.
        init(_ event: Event) {
            self.event = event
            uid = "event-\(event.id)"
            link = event.link
            isCancelled = event.isCancelled
            sequence = event.sequence
            updatedAt = event.updatedAt
        }

        /// An activity of an event; missing values are taken from the event.
        init(_ event: Event, _ activity: Activity) {
            var part = event
            part.title = "\(activity.name) (\(event.title))"
            part.schedule = activity.content.schedule
            part.details.description = activity.info
            part.details.other = nil
            if let coordinate = activity.coordinate { part.venue.coordinate = coordinate }
            if !activity.place.isEmpty {
                part.venue.name = [activity.place, event.venue.name].filter { !$0.isEmpty }.joined(separator: ", ")
            }
            self.init(part)
            uid = "activity-\(activity.id)"
            link = .activity(activity.id, of: event.id)
            isCancelled = event.isCancelled || activity.isCancelled
        }

        /// The entries for an activity; a session of several days has one for each.
        static func all(_ event: Event, _ activity: Activity) -> [Entry] {
            let days = event.hasSessions ? activity.content.schedule.eachDay(in: event.clock) : []
            guard days.count > 1 else { return [Entry(event, activity)] }
            return days.map { schedule in
                var part = activity
                part.content.schedule = schedule
                var entry = Entry(event, part)
                entry.uid += "-\(schedule.day.iso)"
                return entry
            }
        }

        /// The title for a reader's language.
        func title(in language: Language) -> Words {
            let own = event.text(for: language).title
            let title = who.isEmpty ? own : "\(who): \(own)"
            // Not every program shows the status.
            if isCancelled { return "Canceled: \(title, as: "title")" }
            return isTentative ? "Waiting for a yes: \(title, as: "title")" : Words(verbatim: title)
        }
    }

    /// The first and the last start of the entries, by their time zone.
    typealias Spans = [String: ClosedRange<Instant>]

    /// Extends a zone's span to another entry.
    static func add(_ startsAt: Instant, in zone: String, to spans: inout Spans) {
        let span = spans[zone] ?? startsAt...startsAt
        spans[zone] = min(span.lowerBound, startsAt)...max(span.upperBound, startsAt)
    }

    /// The file in UTF-8, with the type `text/calendar`.
    var bytes: [UInt8] {
        var spans: Spans = [:]
        for entry in entries { Self.add(entry.event.startsAt, in: entry.event.zone, to: &spans) }
        return head(spans) + lines(of: entries) + Self.end
    }

    /// The part before the entries. A calendar with very many is written in pieces.
    func head(_ spans: Spans) -> [UInt8] {
        var calendar = ICalendar()
        calendar.add("BEGIN", "VCALENDAR")
        calendar.add("VERSION", "2.0")
        calendar.add("PRODID", "-//Village//Village//EN")
        calendar.add("CALSCALE", "GREGORIAN")
        calendar.add("METHOD", move?.method ?? "PUBLISH")
        if move == nil {
            calendar.add("X-WR-CALNAME", text: name)
            calendar.add("NAME", text: name)
            calendar.add("REFRESH-INTERVAL;VALUE=DURATION", "PT1H")
            calendar.add("X-PUBLISHED-TTL", "PT1H")
        }
        for (zone, span) in spans.sorted(by: { $0.key < $1.key }) {
            calendar.add(Zone(stored: zone), from: span.lowerBound, to: span.upperBound)
        }
        return calendar.bytes
    }

    /// The lines of some of its entries.
    func lines(of entries: [Entry]) -> [UInt8] {
        var calendar = ICalendar()
        for entry in entries { add(entry, to: &calendar) }
        return calendar.bytes
    }

    /// The part after the entries.
    static let end = Array("END:VCALENDAR\r\n".utf8)

    private func add(_ entry: Entry, to calendar: inout ICalendar) {
        let event = entry.event
        let zone = event.clock
        calendar.add("BEGIN", "VEVENT")
        calendar.add("UID", text: "\(entry.uid)@\(host)")
        calendar.add("SEQUENCE", String(entry.sequence))
        if let move {
            let name = move.organizer.name.filter { $0 != "\"" }
            calendar.add("ORGANIZER;CN=\"\(name)\"", "mailto:\(move.organizer.email)")
            calendar.add("ATTENDEE;PARTSTAT=ACCEPTED;RSVP=FALSE", "mailto:\(move.attendee)")
        }
        calendar.add("DTSTAMP", ICalendar.utc(entry.updatedAt))
        calendar.add("CREATED", ICalendar.utc(event.createdAt))
        calendar.add("LAST-MODIFIED", ICalendar.utc(entry.updatedAt))
        calendar.add("DTSTART;TZID=\(zone.identifier)", ICalendar.local(event.startsAt, in: zone))
        if event.end != nil {
            calendar.add("DTEND;TZID=\(zone.identifier)", ICalendar.local(event.endsAt, in: zone))
        }
        calendar.add("STATUS", entry.isCancelled ? "CANCELLED" : entry.isTentative ? "TENTATIVE" : "CONFIRMED")
        calendar.add("SUMMARY", text: entry.title(in: language).text(in: language))
        calendar.add("DESCRIPTION", text: description(of: entry))
        if !entry.location.isEmpty {
            calendar.add("LOCATION", text: entry.location)
        } else if event.isInPerson {
            let address = event.address.withCountry.text(in: language)
            calendar.add("LOCATION", text: event.venue.name.isEmpty ? address : "\(event.venue.name), \(address)")
        } else if event.isOnline {
            calendar.add(
                "LOCATION", text: entry.isPrivate ? event.onlineURL : Words("Online").text(in: language))
        }
        if let place = event.coordinate { calendar.add("GEO", "\(place.latitude);\(place.longitude)") }
        if !event.tags.isEmpty { calendar.add("CATEGORIES", list: event.tags) }
        if !event.host.name.isEmpty { calendar.add("CONTACT", text: event.host.name) }
        calendar.add("URL", site + entry.link.string)
        calendar.add("END", "VEVENT")
    }

    private func description(of entry: Entry) -> String {
        let event = entry.event
        var parts: [String] = []
        func add(_ words: Words) { parts.append(words.text(in: language)) }
        if entry.isPrivate, event.isOnline { add("Take part online: \(event.onlineURL, as: "link")") }
        if !event.cancelReason.isEmpty { parts.append(event.cancelReason) }
        let text = event.text(for: language).description
        if !text.isEmpty { parts.append(text) }
        if !event.bring.isEmpty { add("Bring: \(event.bring, as: "things")") }
        if !event.safety.isEmpty { parts.append(event.safety) }
        parts.append([event.host.name, site + entry.link.string].filter { !$0.isEmpty }.joined(separator: "\n"))
        return parts.joined(separator: "\n\n")
    }
}
