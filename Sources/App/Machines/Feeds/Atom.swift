import Forms
import Templating

/// A list as an Atom feed (RFC 4287).
struct Atom: Sendable {
    let title: String
    /// The site's public URL.
    let site: String
    /// The feed's language.
    let language: Language
    /// The feed's own address, and the equivalent page.
    let link: Link
    let page: Link
    let entries: [Entry]
    /// The current time, which is the date of an empty feed.
    let now: Instant

    struct Entry: Sendable {
        let link: Link
        let title: Words
        /// The language of its title, if known.
        var written: WrittenLanguage?
        let updated: Instant
        let published: Instant
        let author: Words
        var authorLink: Link?
        var tags: [String] = []
        let summary: Words
    }

    /// The file, as UTF-8.
    var bytes: [UInt8] {
        var xml = XML()
        xml.element("feed", ["xmlns": "http://www.w3.org/2005/Atom", "xml:lang": language.name]) { feed in
            feed.element("id", [:], site + link.string)
            feed.element("title", [:], title)
            feed.element("updated", [:], Zone.utc.timestamp(entries.map(\.updated).max() ?? now))
            feed.element("link", ["rel": "self", "type": "application/atom+xml", "href": site + link.string])
            feed.element("link", ["rel": "alternate", "type": "text/html", "href": site + page.string])
            feed.element("generator", ["uri": site + Link.about.string], "Village")
            for entry in entries { add(entry, to: &feed) }
        }
        return xml.bytes
    }

    private func add(_ entry: Entry, to feed: inout XML) {
        feed.element("entry") { element in
            let url = site + entry.link.string
            element.element("id", [:], url)
            element.element("title", entry.written.map { ["xml:lang": $0.tag] } ?? [:], entry.title.text(in: language))
            element.element("updated", [:], Zone.utc.timestamp(entry.updated))
            element.element("published", [:], Zone.utc.timestamp(entry.published))
            element.element("link", ["rel": "alternate", "type": "text/html", "href": url])
            element.element("author") { author in
                author.element("name", [:], entry.author.text(in: language))
                if let link = entry.authorLink { author.element("uri", [:], site + link.string) }
            }
            for tag in entry.tags { element.element("category", ["term": tag]) }
            element.element("summary", [:], entry.summary.text(in: language))
        }
    }
}

extension Atom.Entry {
    init(_ event: Event, for language: Language) {
        let text = event.text(for: language)
        let facts: Words = "\(event.day.fullName, as: "day"), \(event.time, as: "time"). \(event.place, as: "place")."
        self.init(
            link: event.link, title: EventCalendar.Entry(event).title(in: language),
            written: text.language,
            updated: event.updatedAt, published: event.createdAt, author: Words(verbatim: event.host.name),
            authorLink: event.host.link, tags: event.tags,
            summary: "\(facts, as: "facts") \(text.synopsis, as: "synopsis")")
    }

    init(_ opportunity: Opportunity) {
        let (kind, place) = (opportunity.kind.name, opportunity.whereabouts)
        let facts: Words = "\(kind, as: "kind"). \(opportunity.when, as: "time"). \(place, as: "place")."
        let beginning = Words(verbatim: String(opportunity.description.prefix(300)))
        self.init(
            link: opportunity.link, title: Words(verbatim: opportunity.title), written: opportunity.language,
            updated: opportunity.updatedAt, published: opportunity.createdAt,
            author: Words(verbatim: opportunity.host.name), authorLink: opportunity.host.link, tags: opportunity.tags,
            summary: "\(facts, as: "facts") \(beginning, as: "synopsis")")
    }

    init(_ post: Post) {
        self.init(
            link: post.link, title: Words(verbatim: post.beginning), updated: post.editedAt ?? post.createdAt,
            published: post.createdAt, author: post.author.name, authorLink: post.author.link(for: nil),
            summary: Words(verbatim: post.text))
    }
}
