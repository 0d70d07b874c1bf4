import Forms
import Templating

/// The overview at the top of the desk: how the town is doing, in numbers.
struct Desk: Sendable {
    let people: Int
    let newThisWeek: Int
    let families: Int
    let providers: Int
    let comingEvents: Int
    let hiddenEvents: Int
    let suspended: Int
    /// Accounts whose mail doesn't arrive.
    let refused: Int
    /// Matters in the queue.
    let waiting: Int
    /// The number of providers per plan, without unused plans.
    let plans: [(plan: Plan, providers: Int)]

    /// Whether there are other staff; whether a test letter arrived; whether an admin chose who can sign up and
    /// reviewed what is open.
    let hasColleague: Bool
    let hasTestedMail: Bool
    let hasChosenDoor: Bool
    let hasChosenModules: Bool

    /// The note that an admin reviewed what is open.
    static let chosenModules = "site_modules_seen"

    /// The first admin's remaining steps.
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

    /// A number with its label, and a link to details.
    struct Count: Sendable {
        let number: Int
        let words: Words
        let link: Link?
        /// Whether only admins can see the details.
        var isForAdmins = false
    }

    /// Shown only if there are any.
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
