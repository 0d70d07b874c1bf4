import Forms
import FoundationEssentials
import Templating

/// An organization's external calendar of events, at an address or as an uploaded file.
struct CalendarImport: Sendable {
    let id: ID<CalendarImport>
    let host: ID<Account>
    /// The organization's name for it.
    let name: String
    /// Empty for an uploaded file.
    let address: String
    /// The common settings of its events: see `ImportForm`.
    let settings: String
    /// Whether new events are published without asking; nil until the first decision.
    let publishes: Bool?
    /// The server's validators from the last reading, as JSON.
    var validators: String
    let readAt: Instant?
    /// When it was last read completely.
    let wholeAt: Instant?
    /// When it is to be read next; nil if it isn't read at night.
    let dueAt: Instant?
    /// In how many consecutive nights it couldn't be read, and why.
    let failed: Int
    let problem: String
    /// The unreadable parts, a line each.
    let unreadable: String
    /// Since when so many entries have been missing that nothing is canceled.
    let suspectedOn: Day?
    /// Whether its organization confirmed the removals.
    let isBelieved: Bool

    var isFile: Bool { address.isEmpty }
    /// Identifies the last reading, as a form's value.
    var reading: String { wholeAt.map { "\($0.milliseconds)" } ?? "" }
    var link: Link { .calendarImport(id) }
    /// The calendar to request: once a week without validators, because each day more of the repeated entries come into
    /// range.
    func asked(at now: Instant) -> CalendarImport {
        wholeAt.map { $0 > now - Self.wholeAgain } ?? false ? self : forgettingValidators
    }
    /// The calendar without the server's validators.
    var forgettingValidators: CalendarImport {
        var item = self
        item.validators = ""
        return item
    }
    var unreadableLines: [String] { unreadable.split(separator: "\n").map(String.init) }

    /// The most per organization.
    static let most = 10
    /// The most events published in one transaction.
    static let batch = 50
    /// After how many failed nights its organization is notified, and after how many it is given up.
    static let patience = 3
    static let longestPatience = 30
    /// The period to read: far enough back to include events that last weeks.
    static func span(at now: Instant) -> Range<Instant> { now - .days(ImportedCalendar.mostJoined)..<now + .days(365) }
    /// After how long it is read completely even if unchanged.
    static let wholeAgain = Duration.days(7)
    /// How long an entry is remembered after its end.
    static let memory = Duration.days(60)

    /// The time of the next reading: the coming night, at a different minute for each.
    static func due(after now: Instant, in zone: Zone, _ id: ID<CalendarImport>) -> Instant {
        let minutes = Int(id.rawValue % 180)
        let time = TimeOfDay(minutes: 120 + minutes) ?? .midnight
        let today = zone.instant(zone.day(of: now), time)
        return today > now + .hours(1) ? today : zone.instant(zone.day(of: now).advanced(by: 1), time)
    }
}

extension ImportContent {
    /// The stored form.
    var kept: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    init?(kept: String) {
        guard !kept.isEmpty, let content = try? JSONDecoder().decode(ImportContent.self, from: Data(kept.utf8)) else {
            return nil
        }
        self = content
    }
}

/// News about an organization's calendars.
struct ImportNews: TitledNews {
    let what: What
    let about: ID<CalendarImport>
    /// The title of a removed entry, or the calendar's name.
    let title: String

    enum What: String, Sendable, CaseIterable {
        /// Entries were removed from the calendar and will be canceled. If there are several, their number precedes the
        /// calendar's name.
        case gone, severalGone
        /// So many entries are missing that nothing is canceled.
        case suspicious
        /// It can't be read.
        case failing
        /// It is no longer read.
        case stopped
    }

    init(_ what: What, _ about: ID<CalendarImport>, _ title: String) {
        self.what = what
        self.about = about
        self.title = title
    }

    /// The news about removed entries: the title of one, or the number of several.
    static func gone(_ titles: [String], from item: CalendarImport) -> ImportNews? {
        guard let first = titles.first else { return nil }
        return titles.count == 1
            ? ImportNews(.gone, item.id, first)
            : ImportNews(.severalGone, item.id, "\(titles.count) \(item.name)")
    }

    private var several: (count: Int, calendar: String) {
        let parts = title.split(separator: " ", maxSplits: 1).map(String.init)
        return (parts.first.flatMap { Int($0) } ?? 0, parts.count == 2 ? parts[1] : "")
    }

    var kind: NoticeKind { .imported }
    var link: Link { .calendarImport(about) }
    var icon: Icon { .calendar }

    var words: Words {
        switch what {
        case .gone: "No longer in the calendar: \(title, as: "title")"
        case .severalGone:
            Words(
                "{count} event is no longer in the calendar \(several.calendar, as: "calendar")",
                plural: "{count} events are no longer in the calendar \(several.calendar, as: "calendar")",
                count: several.count)
        case .suspicious: "A lot is gone from the calendar \(title, as: "calendar")"
        case .failing: "The calendar \(title, as: "calendar") can’t be read"
        case .stopped: "The calendar \(title, as: "calendar") isn’t read anymore"
        }
    }

    var more: Words {
        switch what {
        case .gone: "It will be called off tomorrow unless you keep it."
        case .severalGone: "They will be called off tomorrow, but for those that you keep."
        case .suspicious: "Nothing was called off. Have a look, and say whether that is meant."
        case .failing: "What was read before stays. Have a look at its address."
        case .stopped: "It couldn’t be read for a month. What was read before stays."
        }
    }
}
