import Forms
import Templating

/// A printable booklet of some weeks' events: numbered, day by day, with two indexes.
struct Booklet: Sendable {
    /// The most events: about forty pages.
    static let limit = 200
    /// The number of days, including today, if none were chosen.
    static let usualDays = 28

    /// An event and its number.
    struct Entry: Sendable {
        let number: Int
        let event: EventCard
        /// A QR code for its page.
        let code: QRCode?
    }
    struct Section: Sendable {
        let day: Words
        let entries: [Entry]
    }
    /// An index entry, and the events' numbers.
    struct Line: Sendable {
        let words: String
        let numbers: [Int]
    }

    let sections: [Section]
    let titles: [Line]
    let hosts: [Line]
    let first: Day
    let last: Day
    /// The site's address, for typing.
    let address: String
    let code: QRCode?
    /// Whether there were more than fit.
    let isCut: Bool

    var isEmpty: Bool { sections.isEmpty }
    /// The period: `From Friday, November 27, 2026 to Thursday, December 24, 2026`.
    var days: Words {
        first == last ? first.fullName : "From \(first.fullName, as: "first") to \(last.fullName, as: "last")"
    }

    /// - Parameters:
    ///   - found: The events, in order of time: at most one more than fits.
    ///   - end: The last day; if nil, or if not all fit, that of the last event.
    ///   - reader: The language of its index.
    ///   - site: The site's public URL.
    init(_ found: [EventCard], from first: Day, to end: Day?, all: Link, for reader: Language, site: String) {
        isCut = found.count > Self.limit
        let ofLast = found.prefix(Self.limit).last.map { max($0.schedule.day, first) }
        last = (isCut ? nil : end) ?? ofLast ?? first
        var number = 0
        sections = EventDay.grouped(found.prefix(Self.limit), today: first).map { day in
            let entries = day.events.map { event in
                number += 1
                return Entry(number: number, event: event, code: QRCode(site + event.link.string))
            }
            // Paper is read on another day, so no day is called today or tomorrow.
            return Section(day: Day(iso: day.key)?.fullName ?? day.heading, entries: entries)
        }
        titles = Self.index(sections, of: { $0.text(for: reader).title })
        hosts = Self.index(sections, of: { $0.host })
        self.first = first
        address = Flyer.typed(site)
        code = QRCode(site + all.string)
    }

    /// The words of all entries in alphabetical order, each with the numbers of its events.
    private static func index(_ sections: [Section], of words: (EventCard) -> String) -> [Line] {
        let entries = sections.flatMap(\.entries)
        let groups = Dictionary(grouping: entries) { words($0.event) }
        return groups.sorted(folding: \.key, then: \.key).map { words, entries in
            Line(words: words, numbers: entries.map(\.number))
        }
    }
}
