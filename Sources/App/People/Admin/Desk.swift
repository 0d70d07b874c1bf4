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
    /// Accounts to whose addresses letters don’t arrive.
    let refused: Int
    /// Things that wait for a look.
    let waiting: Int
    /// Providers by the plan they have; those without anybody are left out.
    let plans: [(plan: Plan, providers: Int)]

    /// Whether somebody else looks after the site too; whether a test letter arrived; whether an admin said who can
    /// sign up, and looked at what is open.
    let hasColleague: Bool
    let hasTestedMail: Bool
    let hasChosenDoor: Bool
    let hasChosenModules: Bool

    /// The note that an admin looked at what is open.
    static let chosenModules = "site_modules_seen"

    /// What the first admin still has to do.
    func steps(of town: Town, hasLanguages: Bool) -> [Town.Step] {
        town.steps(hasLanguages: hasLanguages) + [
            Town.Step(
                field: "joining", words: "Who can sign up",
                why: "Everybody, people you let in, people a member invites, or nobody.", isDone: hasChosenDoor),
            Town.Step(
                field: "colleague", words: "A first colleague",
                why: "Anybody can get sick. Give a second person a role on their page.", isDone: hasColleague,
                page: Link.adminPeople),
            Town.Step(
                field: "mail", words: "A test letter", why: "You see at once whether letters arrive.",
                isDone: hasTestedMail, page: Link.outbox),
            Town.Step(
                field: "modules", words: "What is open", why: "Switch off what your town doesn’t need yet.",
                isDone: hasChosenModules, page: Link.modules),
        ]
    }

    /// A number with what it counts, and where to see more.
    struct Count: Sendable {
        let number: Int
        let words: Words
        let link: Link?
        /// Whether only admins see more.
        var isForAdmins = false
    }

    /// Said only while there are some.
    private var letters: [Count] {
        guard refused > 0 else { return [] }
        let words = Words("person whom letters don’t reach", plural: "people whom letters don’t reach", count: refused)
        return [Count(number: refused, words: words, link: Link.adminPeople.with("only", "refused"))]
    }

    var counts: [Count] {
        [
            Count(
                number: waiting,
                words: Words("thing waits for a look", plural: "things wait for a look", count: waiting),
                link: Link.queue),
            Count(number: people, words: Words("person", plural: "people", count: people), link: Link.adminPeople),
            Count(number: newThisWeek, words: "new in the last 7 days", link: nil),
            Count(number: families, words: Words("family", plural: "families", count: families), link: nil),
            Count(
                number: providers, words: Words("provider", plural: "providers", count: providers),
                link: Link.adminProviders, isForAdmins: true),
            Count(
                number: comingEvents, words: Words("event coming up", plural: "events coming up", count: comingEvents),
                link: Link.adminEvents),
            Count(
                number: hiddenEvents, words: Words("hidden event", plural: "hidden events", count: hiddenEvents),
                link: hiddenEvents == 0 ? nil : Link.adminEvents.fragment("hidden")),
            Count(
                number: suspended,
                words: Words("suspended account", plural: "suspended accounts", count: suspended),
                link: Link.adminPeople.with("only", "suspended")),
        ] + letters + plans.map { Count(number: $0.providers, words: "on \($0.plan.name, as: "plan")", link: nil) }
    }
}
