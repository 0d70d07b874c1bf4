import Forms
import Templating

/// A letter from the people who run the site to all members who chose its topic.
struct TownLetter: Sendable {
    let id: ID<TownLetter>
    let topic: Topic
    let title: String
    let body: String
    let at: Instant
    /// The number of recipients so far.
    let count: Int
    /// When sending ended; nil while it is being sent.
    let endedAt: Instant?
    /// Whether it was stopped before everyone had it.
    let isStopped: Bool

    /// The minimum time between letters on one topic.
    static let pause = Duration.days(7)
    /// The most of its letters in the outbox at a time, so that urgent letters don't wait behind more.
    static let batch = 100
    /// The most of its letters waiting, including postponed ones.
    static let mostPutOff = 1_000
    /// Letters per page.
    static let pageSize = 20

    /// The topic; members choose and unsubscribe from each separately.
    enum Topic: String, CaseIterable, FormValue, Hashable {
        case events, helping, kindness, pets, site

        /// The kind of notice with which members choose it.
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

/// A topic, for the admin who writes a letter.
struct TopicRow: Sendable {
    let topic: TownLetter.Topic
    /// How many members would get a letter now.
    let readers: Int
    /// When the next letter may be sent; nil for now.
    let next: Words?

    /// How many get it.
    var size: Words {
        if readers == 0 { return TopicRow.noReaders }
        return Words("{count} member gets it", plural: "{count} members get it", count: readers)
    }

    /// When the next letter may be sent, if not now.
    var wait: Words? { next.map(TopicRow.wait) }

    /// Whether a letter about it can go now.
    var isOpen: Bool { next == nil && readers > 0 }

    static let noReaders: Words = "Nobody gets letters about it yet"

    static func wait(until time: Words) -> Words { "The next letter about it can go from \(time, as: "time") on" }
}

/// `/admin/letters`: past letters, and possible topics.
struct TownLettersPage: Sendable {
    let topics: [TopicRow]
    let letters: [(letter: TownLetter, at: Words)]
    let more: Link?
    /// Whether the site sends mail.
    let hasServer: Bool

    /// The topics to choose from.
    static func choices(_ topics: [TopicRow]) -> [Choice] {
        topics.map { Choice($0.topic, $0.topic.name, detail: $0.wait ?? $0.size) }
    }
}

extension TownLetter {
    /// How far sending has come.
    var progress: Words {
        let size = Words("{count} member", plural: "{count} members", count: count)
        if isStopped { return "Stopped, after it was written to \(size, as: "members")" }
        if endedAt == nil { return "It goes out now, and was written to \(size, as: "members")" }
        return "It was written to \(size, as: "members")"
    }
}

extension LetterText {
    /// The text of a letter from the people who run the site.
    static func town(_ title: String, _ body: String) -> LetterText {
        LetterText(
            subject: Words(verbatim: title), heading: Words(verbatim: title), body: body,
            action: Action(name: "Choose what you get letters about", link: Link.noticeChoices))
    }
}
