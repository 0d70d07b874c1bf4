import Forms
import Templating

/// A row of a host's own events: one of them, or a series by its next date.
struct OwnEvent: Sendable {
    var card: EventCard
    let series: ID<Event>?
    /// Whether it stands in a list of what is still to come.
    let isAhead: Bool
    /// How many dates of its series the row stands for; none where each has a row.
    var dates = 0
    /// The day of the last one to come, or of the first one that is over.
    var farthest: Day?
    /// The dates at which somebody waits, of those that the row stands for.
    var waits: [Wait] = []

    var id: ID<Event> { card.id }
    var startsAt: Instant { card.startsAt }
    var isSeries: Bool { dates > 1 && series != nil }

    /// One date at which somebody waits for its host, or for a place.
    struct Wait: Sendable {
        let event: ID<Event>
        let day: Day
        /// Parties in line, and children in line for a session.
        let turns: Int
        /// Questions without an answer.
        let questions: Int
    }
}

extension OwnEvent {
    private var waitingDates: [Wait] { waits.filter { $0.turns > 0 } }
    private var askedDates: [Wait] { waits.filter { $0.questions > 0 } }

    /// How many wait for a place, and on which date; nil for nobody.
    var waiting: Words? {
        let count = waitingDates.reduce(0) { $0 + $1.turns }
        guard count > 0 else { return nil }
        if waitingDates.count > 1 {
            return Words(
                "\(count, as: "waiting") wait for a place, at {count} date",
                plural: "\(count, as: "waiting") wait for a place, at {count} dates", count: waitingDates.count)
        }
        guard isSeries, let only = waitingDates.first else {
            return Words("{count} waits for a place", plural: "{count} wait for a place", count: count)
        }
        return Words(
            "{count} waits for a place on \(only.day.plainName, as: "day")",
            plural: "{count} wait for a place on \(only.day.plainName, as: "day")", count: count)
    }

    /// Where those who wait stand in line; of several dates the list of them.
    var waitingLink: Link {
        waitingDates.count == 1 ? .event(waitingDates[0].event) / "waiting" : datesLink(OwnSearch(list: .waiting))
    }

    /// How many questions wait for an answer; nil for none.
    var asked: Words? {
        let count = askedDates.reduce(0) { $0 + $1.questions }
        guard count > 0 else { return nil }
        return Words("{count} question to answer", plural: "{count} questions to answer", count: count)
    }

    var askedLink: Link {
        askedDates.count == 1 ? .questions(askedDates[0].event) : datesLink(OwnSearch(list: .waiting))
    }

    /// What the row stands for beside the date it names; nil for an event alone.
    var others: Words? {
        guard isSeries, let farthest else { return nil }
        let count = dates - 1
        return isAhead
            ? Words(
                "{count} more date, until \(farthest.date, as: "day")",
                plural: "{count} more dates, until \(farthest.date, as: "day")", count: count)
            : Words(
                "{count} more date, the first on \(farthest.date, as: "day")",
                plural: "{count} more dates, the first on \(farthest.date, as: "day")", count: count)
    }

    /// The dates of its series, each in a row of its own: those that a search finds.
    func datesLink(_ search: OwnSearch) -> Link {
        var dates = search
        dates.series = series
        return dates.link
    }
}

/// Which of their own events a host looks through.
struct OwnSearch: Sendable {
    var list = Event.OwnList.upcoming
    /// The words they are found by.
    var words = ""
    /// What was typed, where other words were meant.
    var typed: String?
    /// The series of which each date has a row.
    var series: ID<Event>?
    var audience: Event.Audience?
    /// Whether the dates of a series share a row.
    var gathers: Bool { series == nil && !isApart }
    /// Whether each date of all series has a row of its own.
    var isApart = false

    var link: Link { link(to: list) }

    /// The same words among the drafts.
    var draftsLink: Link { Link.ownEvents.with("list", "draft").with("q", words.isEmpty ? nil : words) }

    /// The same search in another list.
    func link(to list: Event.OwnList) -> Link {
        Link.ownEvents.with("list", list.rawValue).with("series", series).with("q", words.isEmpty ? nil : words)
    }
}

extension OwnSearch {
    /// What an address asks for.
    init(_ query: FormBody) {
        list = Event.OwnList(rawValue: query["list"] ?? "") ?? .upcoming
        words = Self.words(query)
        series = query["series"].flatMap { ID($0) }
    }

    /// The words that an address asks for, of drafts as well.
    static func words(_ query: FormBody) -> String { (query["q"] ?? "").prefix(200).squeezed }
}
