import Forms
import Templating

extension EventFilter {
    /// The same events as a calendar and as a feed.
    var calendar: Link { elsewhere(at: .eventCalendar) }
    var atom: Link { elsewhere(at: .eventFeed) }

    /// The same events as another page shows them.
    func elsewhere(at page: Link) -> Link { Link(path: page.string + search) }

    /// What programs call a list of these events.
    func feedTitle(in language: Language, of town: Town) -> String {
        "\(Feed(self, [], today: .distantPast).heading.text(in: language)) · \(town.shortName)"
    }

    /// Whether it asks for what is near a place that nobody knows, or that there are several of. A page says so and
    /// shows all; a program would take all for what is near.
    var isLost: Bool { (!near.isEmpty || event != nil) && circle == nil }

    /// The filters as they stand in an address, without the place in the list.
    private var search: Substring {
        let search = firstPage.link.string.drop { $0 != "?" }
        // Here nothing begins with anybody's own city.
        return search == "?city=" ? "" : search
    }
}
