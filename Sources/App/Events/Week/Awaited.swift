import Forms
import Templating

/// A request that waits for a member's yes or no: to help, to bring something, to say that it came, to meet.
struct Awaited: Sendable {
    private(set) var words: Words
    let title: Words
    let link: Link

    /// The number of people who would like to help.
    init(helpers count: Int, at opportunity: ID<Opportunity>, _ title: String) {
        words = Words("{count} person would like to help", plural: "{count} people would like to help", count: count)
        self.title = Words(verbatim: title)
        link = .opportunity(opportunity) / "signups"
    }

    /// The number of people who would like to come along and learn.
    init(shadowers count: Int, at opportunity: ID<Opportunity>, _ title: String) {
        self.init(helpers: count, at: opportunity, title)
        words = Words(
            "{count} person would like to come along", plural: "{count} people would like to come along", count: count)
    }

    /// The number of people who would come to the member's home.
    init(visitors count: Int, for need: ID<Need>, _ title: String) {
        words = Words("{count} person would come", plural: "{count} people would come", count: count)
        self.title = Words(verbatim: title)
        link = Link.need(need).fragment("who")
    }

    /// The number of people who say that they brought what the member needs, or did it.
    init(arrivals count: Int, for need: ID<Need>, _ title: String) {
        words = Words(
            "Did it happen? {count} person says so.", plural: "Did it happen? {count} people say so.", count: count)
        self.title = Words(verbatim: title)
        link = Link.need(need).fragment("who")
    }

    /// A proposed meeting.
    init(meeting match: ID<PetMatch>, of names: Words) {
        words = "You are asked when to meet"
        title = names
        link = Link.match(match).fragment("meetings")
    }

    /// A request to co-host an event.
    init(hosting event: ID<Event>, _ title: String) {
        words = "You are asked to host it together"
        self.title = Words(verbatim: title)
        link = .cohosts(of: event)
    }

    /// The number of matters in the staff's queue.
    init(atTheDesk count: Int) {
        words = Words("{count} thing waits for a look", plural: "{count} things wait for a look", count: count)
        title = "The desk"
        link = Link.queue
    }
}
