import Forms
import Templating

/// Something that waits for somebody's yes or no: a person who would like to help, to bring something, to meet.
struct Awaited: Sendable {
    let words: Words
    let title: Words
    let link: Link

    /// How many people would like to help there.
    init(helpers count: Int, at opportunity: ID<Opportunity>, _ title: String) {
        words = Words("{count} person would like to help", plural: "{count} people would like to help", count: count)
        self.title = Words(verbatim: title)
        link = .opportunity(opportunity) / "signups"
    }

    /// How many people would come to somebody's home.
    init(visitors count: Int, for need: ID<Need>, _ title: String) {
        words = Words("{count} person would come", plural: "{count} people would come", count: count)
        self.title = Words(verbatim: title)
        link = .need(need)
    }

    /// Somebody asks when to meet.
    init(meeting match: ID<PetMatch>, of names: Words) {
        words = "You are asked when to meet"
        title = names
        link = Link.match(match).fragment("meetings")
    }

    /// Somebody asks to host an event together.
    init(hosting event: ID<Event>, _ title: String) {
        words = "You are asked to host it together"
        self.title = Words(verbatim: title)
        link = .cohosts(of: event)
    }

    /// So much waits for those who look after the site.
    init(atTheDesk count: Int) {
        words = Words("{count} thing waits for a look", plural: "{count} things wait for a look", count: count)
        title = "The desk"
        link = Link.queue
    }

    /// How long it takes until the person asked is reminded by a letter.
    static let patience = Duration.days(2)
    /// What ends sooner is reminded of so long before, once it has waited for ``least``.
    static let lead = Duration.days(1)
    static let least = Duration.hours(6)

    /// When somebody is reminded of what they were asked at a moment; nil where it ends before a letter would help.
    static func reminder(askedAt: Instant, endsAt: Instant?) -> Instant? {
        let usual = askedAt + patience
        guard let endsAt else { return usual }
        let due = min(usual, max(askedAt + least, endsAt - lead))
        return due < endsAt ? due : nil
    }
}
