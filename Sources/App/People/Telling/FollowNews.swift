import Forms
import Templating

/// News from an organization for its followers.
struct FollowNews: Sendable {
    let organization: String
    let what: What
    let title: EventTitle
    /// The host and number of events announced together; `what` is the first of them.
    var many: Many?
    /// The event that a notice is about.
    private var happening: Notice.Happening?

    /// Several events at once.
    struct Many: Sendable {
        let count: Int
        /// Their host's user name.
        let host: String
    }

    /// What was published.
    enum What: Sendable {
        case opportunity(ID<Opportunity>)
        case event(ID<Event>)

        var link: Link {
            switch self {
            case .opportunity(let id): .opportunity(id)
            case .event(let id): .event(id)
            }
        }
    }

    init(_ organization: String, _ what: What, _ title: EventTitle) {
        self.organization = organization
        self.what = what
        self.title = title
    }

    /// The format in a notice: the organization's name, and for an opportunity its title.
    init?(_ notice: Notice) {
        let parts = notice.detail.split(separator: "\u{1F}", omittingEmptySubsequences: false).map(String.init)
        if let happening = notice.happening {
            self.init(parts[0], .event(happening.event), happening.title)
            self.happening = happening
            if parts.count == 3, let count = Int(parts[1]) { many = Many(count: count, host: parts[2]) }
        } else {
            guard parts.count == 2, let subject = notice.subject else { return nil }
            self.init(parts[0], .opportunity(ID(subject)), EventTitle(title: parts[1]))
        }
    }

    var detail: String {
        let name = organization.filter { $0 != "\u{1F}" }
        if let many { return "\(name)\u{1F}\(many.count)\u{1F}\(many.host)" }
        if case .event = what { return name }
        return "\(name)\u{1F}\(title.title.filter { $0 != "\u{1F}" })"
    }

    var link: Link { many.map { .provider($0.host) } ?? what.link }
    func more(for reader: Zone) -> Words { happening?.time(for: reader) ?? Words(verbatim: "") }
    var icon: Icon { .heart }
    var group: String? { if case .event(let id) = what { "event-\(id)" } else { nil } }

    var words: Words {
        if let many {
            return Words(
                "\(organization, as: "organization") announces {count} new event",
                plural: "\(organization, as: "organization") announces {count} new events", count: many.count)
        }
        return switch what {
        case .opportunity: "\(organization, as: "organization") asks for help: \(title.words, as: "title")"
        case .event: "\(organization, as: "organization") announces: \(title.words, as: "title")"
        }
    }

    /// The format of a daily letter's entries: `o7,e9`.
    static func keeping(_ all: [What]) -> String {
        all.map { what in
            switch what {
            case .opportunity(let id): "o\(id)"
            case .event(let id): "e\(id)"
            }
        }.joined(separator: ",")
    }

    static func kept(_ detail: String) -> [What] {
        detail.split(separator: ",").compactMap { part in
            let number = String(part.dropFirst())
            return part.hasPrefix("o")
                ? ID<Opportunity>(number).map(What.opportunity) : ID<Event>(number).map(What.event)
        }
    }
}

extension LetterText {
    static func followed(_ news: [FollowNews]) -> LetterText {
        let subject = Words(
            "{count} thing is new at organizations you follow",
            plural: "{count} things are new at organizations you follow", count: news.count)
        return LetterText(
            subject: subject, heading: subject,
            facts: news.map { Fact(name: Words(verbatim: $0.organization), words: $0.title.words) },
            action: Action(name: "See what is new", link: .following))
    }
}
