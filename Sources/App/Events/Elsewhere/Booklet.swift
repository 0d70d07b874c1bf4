import Forms
import Templating

/// The events of some weeks to print: day by day, with a number each, and two indexes that lead to the numbers.
struct Booklet: Sendable {
    /// How many events fit: some forty pages.
    static let limit = 200
    /// How far ahead it looks where nobody chose days, today among them.
    static let usualDays = 28

    /// An event, and under which number it stands.
    struct Entry: Sendable {
        let number: Int
        let event: EventCard
        /// Where it is, for a camera.
        let code: QRCode?
    }
    struct Section: Sendable {
        let day: Words
        let entries: [Entry]
    }
    /// What stands in an index, and its numbers.
    struct Line: Sendable {
        let words: String
        let numbers: [Int]
    }

    let sections: [Section]
    let titles: [Line]
    let hosts: [Line]
    let first: Day
    let last: Day
    /// The site's, as it is typed.
    let address: String
    let code: QRCode?
    /// Whether there were more than fit.
    let isCut: Bool

    var isEmpty: Bool { sections.isEmpty }
    /// The days it is about: `From Friday, November 27, 2026 to Thursday, December 24, 2026`.
    var days: Words {
        first == last ? first.fullName : "From \(first.fullName, as: "first") to \(last.fullName, as: "last")"
    }

    /// - Parameters:
    ///   - found: What is in it, in the order of time: at most one more than fit.
    ///   - end: Its last day; nil, or where not all fit, for that of the last event.
    ///   - reader: What its index is written in.
    ///   - site: The public URL of the site.
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
            // Paper is read on another day: nothing is called today or tomorrow.
            return Section(day: Day(iso: day.key)?.fullName ?? day.heading, entries: entries)
        }
        titles = Self.index(sections, of: { $0.text(for: reader).title })
        hosts = Self.index(sections, of: { $0.host })
        self.first = first
        address = Flyer.typed(site)
        code = QRCode(site + all.string)
    }

    /// The words of all entries in the order of the alphabet, each with the numbers that it stands under.
    private static func index(_ sections: [Section], of words: (EventCard) -> String) -> [Line] {
        let entries = sections.flatMap(\.entries)
        let groups = Dictionary(grouping: entries) { words($0.event) }
        return groups.sorted { (folded($0.key), $0.key) < (folded($1.key), $1.key) }.map { words, entries in
            Line(words: words, numbers: entries.map(\.number))
        }
    }
}
