import Forms
import Templating

/// A row in the list of a host's own events: a single event, or a series with its next date.
struct OwnEvent: Sendable {
    var card: EventCard
    let series: ID<Event>?
    /// Whether it is in a list of upcoming events.
    let isAhead: Bool
    /// The number of dates in the row; 0 if each has a row.
    var dates = 0
    /// The day of the last upcoming date, or of the first past one.
    var farthest: Day?
    /// The dates in the row at which somebody waits.
    var waits: [Wait] = []

    var id: ID<Event> { card.id }
    var startsAt: Instant { card.startsAt }
    var isSeries: Bool { dates > 1 && series != nil }

    /// A date at which somebody waits for the host or for a place.
    struct Wait: Sendable {
        let event: ID<Event>
        let day: Day
        /// The number of waiting parties, and of children waiting for a session.
        let turns: Int
        /// The number of unanswered questions.
        let questions: Int
    }
}

extension OwnEvent {
    private var waitingDates: [Wait] { waits.filter { $0.turns > 0 } }
    private var askedDates: [Wait] { waits.filter { $0.questions > 0 } }

    /// The number waiting for a place, and the date; nil if there are none.
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

    /// The link to the waiting list, or to the list of dates if there are several.
    var waitingLink: Link {
        waitingDates.count == 1 ? .event(waitingDates[0].event) / "waiting" : datesLink(OwnSearch(list: .waiting))
    }

    /// The number of unanswered questions; nil if there are none.
    var asked: Words? {
        let count = askedDates.reduce(0) { $0 + $1.questions }
        guard count > 0 else { return nil }
        return Words("{count} question to answer", plural: "{count} questions to answer", count: count)
    }

    var askedLink: Link {
        askedDates.count == 1 ? .questions(askedDates[0].event) : datesLink(OwnSearch(list: .waiting))
    }

    /// The row's other dates; nil for a single event.
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

/// A search in a host's own events.
struct OwnSearch: Sendable {
    var list = Event.OwnList.upcoming
    /// The search words.
    var words = ""
    /// The typed words, if they were corrected.
    var typed: String?
    /// The series whose dates are listed separately.
    var series: ID<Event>?
    var audience: Event.Audience?
    /// Whether a series' dates share a row.
    var gathers: Bool { series == nil && !isApart }
    /// Whether all series' dates are listed separately.
    var isApart = false

    var link: Link { link(to: list) }

    /// The link to search the drafts for the same words.
    var draftsLink: Link { Link.ownEvents.with("list", "draft").with("q", words.isEmpty ? nil : words) }

    /// The same search in another list.
    func link(to list: Event.OwnList) -> Link {
        Link.ownEvents.with("list", list.rawValue).with("series", series).with("q", words.isEmpty ? nil : words)
    }
}

extension OwnSearch {
    /// Parses an address.
    init(_ query: FormBody) {
        list = Event.OwnList(rawValue: query["list"] ?? "") ?? .upcoming
        words = Self.words(query)
        series = query["series"].flatMap { ID($0) }
    }

    /// The search words in an address, also for drafts.
    static func words(_ query: FormBody) -> String { (query["q"] ?? "").prefix(200).squeezed }
}
