import Forms
import Templating

/// A letter that those who run the site write to all members who chose its topic.
struct TownLetter: Sendable {
    let id: ID<TownLetter>
    let topic: Topic
    let title: String
    let body: String
    let at: Instant
    /// How many members it was written to.
    let count: Int
    /// When it was over; nil while it goes out.
    let endedAt: Instant?
    /// Whether somebody stopped it before all had it.
    let isStopped: Bool

    /// How long a topic rests after a letter.
    static let pause = Duration.days(7)
    /// The most of its letters that wait in the outbox at a time: what is urgent isn't behind more than these.
    static let batch = 100
    /// The most of its letters that wait, with those that mail servers put off.
    static let mostPutOff = 1_000
    /// Letters a page.
    static let pageSize = 20

    /// What it is about: each is chosen, and ended by one click, on its own.
    enum Topic: String, CaseIterable, FormValue, Hashable {
        case events, helping, kindness, pets, site

        /// The kind of notice by which members choose it.
        var kind: NoticeKind {
            switch self {
            case .events: .aboutEvents
            case .helping: .aboutHelping
            case .kindness: .aboutKindness
            case .pets: .aboutPets
            case .site: .aboutSite
            }
        }

        var name: Words { kind.name }
    }

    /// What is in the way of sending one.
    enum Obstacle: Error, Equatable {
        /// There was one about the same topic in the last days; the next one may go then.
        case resting(until: Instant)
        /// No member would get it.
        case noReaders
    }

    var text: HTML { .paragraphs(of: body) }
    var link: Link { Link.townLetter(id) }
}

struct TownLetterForm: Form {
    var topic = TownLetter.Topic.site
    var title = ""
    var body = ""

    static let fields: [Field<TownLetterForm>] = [
        .choice("topic", \.topic, "What it is about").drawn(as: .radios).missing("Choose what it is about."),
        .text("title", \.title, "Subject", 3...120).hint("The first thing its readers see; name no child.")
            .missing("Give the letter a subject."),
        .area("body", \.body, "What do you want to tell them?", 5...5_000)
            .hint("Plain text; a web address becomes a link. Everybody gets it in the language you write it in.")
            .missing("Write the letter."),
    ]
}

/// A topic as an admin sees it who writes to those who chose it.
struct TopicRow: Sendable {
    let topic: TownLetter.Topic
    /// How many members would get a letter now.
    let readers: Int
    /// When the next letter may go; nil for now.
    let next: Words?

    /// How many get it.
    var size: Words {
        if readers == 0 { return TopicRow.noReaders }
        return Words("{count} member gets it", plural: "{count} members get it", count: readers)
    }

    /// From when on the next letter may go, where that isn't now.
    var wait: Words? { next.map(TopicRow.wait) }

    /// Whether a letter about it can go now.
    var isOpen: Bool { next == nil && readers > 0 }

    static let noReaders: Words = "Nobody gets letters about it yet"

    static func wait(until time: Words) -> Words { "The next letter about it can go from \(time, as: "time") on" }
}

/// `/admin/letters`: what was written to all, and what can be.
struct TownLettersPage: Sendable {
    let topics: [TopicRow]
    let letters: [(letter: TownLetter, at: Words)]
    let more: Link?
    /// Whether letters are sent at all.
    let hasServer: Bool

    /// What a form offers.
    static func choices(_ topics: [TopicRow]) -> [Choice] {
        topics.map { Choice($0.topic, $0.topic.name, detail: $0.wait ?? $0.size) }
    }
}

extension TownLetter {
    /// How far it went.
    var progress: Words {
        let size = Words("{count} member", plural: "{count} members", count: count)
        if isStopped { return "Stopped, after it was written to \(size, as: "members")" }
        if endedAt == nil { return "It goes out now, and was written to \(size, as: "members")" }
        return "It was written to \(size, as: "members")"
    }
}

extension LetterText {
    /// What those who run the site wrote to all who chose its topic.
    static func town(_ title: String, _ body: String) -> LetterText {
        LetterText(
            subject: Words(verbatim: title), heading: Words(verbatim: title), body: body,
            action: Action(name: "Choose what you get letters about", link: Link.noticeChoices))
    }
}
