import Forms
import Templating

/// What the desk shows first: how the town is doing, in numbers.
struct Desk: Sendable {
    let people: Int
    let newThisWeek: Int
    let families: Int
    let providers: Int
    let comingEvents: Int
    let hiddenEvents: Int
    let suspended: Int
    /// Things that wait for a look.
    let waiting: Int
    /// Providers by the plan they have; those without anybody are left out.
    let plans: [(plan: Plan, providers: Int)]

    /// A number with what it counts, and where to see more.
    struct Count: Sendable {
        let number: Int
        let words: Words
        let link: Link?
    }

    var counts: [Count] {
        [
            Count(
                number: waiting,
                words: Words("thing waits for a look", plural: "things wait for a look", count: waiting),
                link: Link("/admin/queue")),
            Count(number: people, words: Words("person", plural: "people", count: people), link: Link("/admin/people")),
            Count(number: newThisWeek, words: "new in the last 7 days", link: nil),
            Count(number: families, words: Words("family", plural: "families", count: families), link: nil),
            Count(
                number: providers, words: Words("provider", plural: "providers", count: providers),
                link: Link("/admin/providers")),
            Count(
                number: comingEvents, words: Words("event coming up", plural: "events coming up", count: comingEvents),
                link: Link("/admin/events")),
            Count(
                number: hiddenEvents, words: Words("hidden event", plural: "hidden events", count: hiddenEvents),
                link: hiddenEvents == 0 ? nil : Link("/admin/events").fragment("hidden")),
            Count(
                number: suspended,
                words: Words("suspended account", plural: "suspended accounts", count: suspended),
                link: Link("/admin/people").with("only", "suspended")),
        ] + plans.map { Count(number: $0.providers, words: "on \($0.plan.name, as: "plan")", link: nil) }
    }
}
