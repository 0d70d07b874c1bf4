import Forms
import Templating

extension LetterText {
    /// New events for all of a member's saved searches. It contains no children's names or ages.
    static func searched(_ told: SearchNews.Told, in zone: Zone) -> LetterText {
        let subject: Words = told.parts.isEmpty ? "Registration opens this week" : "What is new in your searches"
        var sections = told.parts.map { part in
            Section(
                heading: part.words,
                facts: part.events.map { Fact(name: $0.readersTitle, words: when($0, for: zone), link: $0.link) },
                more: part.hasMore ? Action(name: "Show the rest", link: part.search.link) : nil)
        }
        if !told.opening.isEmpty {
            sections.append(
                Section(
                    heading: "Registration opens this week",
                    facts: told.opening.map { event, time in
                        let opens = zone.words(time, besides: event.clock, \.fullName)
                        return Fact(
                            name: event.readersTitle, words: "Registration opens \(opens, as: "time").",
                            link: event.link)
                    }))
        }
        return LetterText(
            subject: subject, heading: subject, sections: sections,
            action: Action(name: "See your saved searches", link: .searches))
    }

    private static func when(_ event: Event, for reader: Zone) -> Words {
        let place: Words = event.isInPerson ? Words(verbatim: event.address.city) : "Online"
        let time = event.schedule.said(event.schedule.shortTime, for: reader)
        return "\(event.day.shortName, as: "day"), \(time, as: "time"). \(place, as: "place")."
    }
}
