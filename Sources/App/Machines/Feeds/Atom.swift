import Forms
import Templating

/// The coming events as an Atom feed (RFC 4287).
struct Atom: Sendable {
    let title: String
    /// The public URL of the site.
    let site: String
    /// What it is written in.
    let language: Language
    /// The feed's own address, and the page that shows the same.
    let link: Link
    let page: Link
    let events: [Event]
    /// When it is drawn: the time of an empty feed.
    let now: Instant

    /// The file, as UTF-8.
    var bytes: [UInt8] {
        var xml = XML()
        xml.element("feed", ["xmlns": "http://www.w3.org/2005/Atom", "xml:lang": language.name]) { feed in
            feed.element("id", [:], site + link.string)
            feed.element("title", [:], title)
            feed.element("updated", [:], Zone.utc.timestamp(events.map(\.updatedAt).max() ?? now))
            feed.element("link", ["rel": "self", "type": "application/atom+xml", "href": site + link.string])
            feed.element("link", ["rel": "alternate", "type": "text/html", "href": site + page.string])
            feed.element("generator", ["uri": site + "/about"], "Village")
            for event in events { add(event, to: &feed) }
        }
        return xml.bytes
    }

    private func add(_ event: Event, to feed: inout XML) {
        feed.element("entry") { entry in
            let url = site + event.link.string
            entry.element("id", [:], url)
            entry.element("title", [:], EventCalendar.Entry(event).title.text(in: language))
            entry.element("updated", [:], Zone.utc.timestamp(event.updatedAt))
            entry.element("published", [:], Zone.utc.timestamp(event.createdAt))
            entry.element("link", ["rel": "alternate", "type": "text/html", "href": url])
            entry.element("author") { author in
                author.element("name", [:], event.host.name)
                if let link = event.host.link { author.element("uri", [:], site + link.string) }
            }
            for tag in event.tags { entry.element("category", ["term": tag]) }
            let facts: Words =
                "\(event.day.fullName, as: "day"), \(event.time, as: "time"). \(event.place, as: "place")."
            entry.element("summary", [:], "\(facts.text(in: language)) \(event.synopsis)")
        }
    }
}
