import Forms
import Templating

extension EventFilter {
    /// The same events as a calendar or a feed.
    var calendar: Link { elsewhere(at: .eventCalendar) }
    var atom: Link { elsewhere(at: .eventFeed) }

    /// The same events on another page.
    func elsewhere(at page: Link) -> Link { Link(path: page.string + search) }

    /// The title of a list of these events in other programs.
    func feedTitle(in language: Language, of town: Town) -> String {
        "\(Feed(self, FoundCards([]), today: .distantPast).heading.text(in: language)) · \(town.shortName)"
    }

    /// Whether the place to search near is unknown or ambiguous. A page says so and shows all events; a program would
    /// take them for nearby ones.
    var isLost: Bool { (!near.isEmpty || event != nil) && circle == nil }

    /// The filters as a query string, without the position in the list.
    private var search: Substring {
        let search = firstPage.link.string.from("?")
        // Here the visitor's own city isn't the default.
        return search == "?city=" ? "" : search
    }
}
