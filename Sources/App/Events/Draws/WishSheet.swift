import Forms
import Templating

/// The wishes of one child: up to five events, the most wanted first.
struct WishForm: Form {
    /// The child that it is about.
    var key: String?
    var first: String?
    var second: String?
    var third: String?
    var fourth: String?
    var fifth: String?

    static let ranks: [any WritableKeyPath<WishForm, String?> & Sendable] = [
        \.first, \.second, \.third, \.fourth, \.fifth,
    ]

    static let fields: [Field<WishForm>] = [
        .hidden("id", \.key),
        .choice("1", \.first, "First wish").conditional, .choice("2", \.second, "Second wish").conditional,
        .choice("3", \.third, "Third wish").conditional, .choice("4", \.fourth, "Fourth wish").conditional,
        .choice("5", \.fifth, "Fifth wish").conditional,
    ]

    init() {}

    init(_ child: ID<Child>, _ wishes: [ID<Event>]) {
        key = "\(child)"
        for (rank, event) in zip(Self.ranks, wishes) { self[keyPath: rank] = "\(event)" }
    }

    /// Those that were chosen, in order; what was left out between two is no gap.
    var wishes: [ID<Event>] { Self.ranks.compactMap { self[keyPath: $0].flatMap { ID<Event>($0) } } }
}

/// What is one for the whole family; beside it are the rows of the children.
struct WishesForm: Form {
    var together = false

    static let fields: [Field<WishesForm>] = [
        .checkbox("together", \.together, "Brothers and sisters in the same event, or not at all")
    ]
}

/// What a family wishes in a draw.
struct WishSheet: Sendable {
    let draw: Draw
    /// The events of the draw, in order of their time.
    let events: [Event]
    /// The children who can come to one of them at least, each a row.
    let children: [Child]
    /// The others.
    let unfit: [Child]
    private(set) var rows: Rows<WishForm>
    var isTogether: Bool
    /// The code of what was saved; nil for nothing yet.
    let code: String?

    /// - Parameter stored: What was saved, by child.
    init(
        _ draw: Draw, _ events: [Event], children: [Child], stored: [ID<Child>: [ID<Event>]] = [:],
        isTogether: Bool = false, code: String? = nil
    ) {
        self.draw = draw
        self.events = events
        self.children = children.filter { child in events.contains { $0.fits(child.ages(on: $0.day)) } }
        unfit = children.filter { child in !events.contains { $0.fits(child.ages(on: $0.day)) } }
        self.isTogether = isTogether
        self.code = code
        // What was called off is no gap: another takes its rank.
        let there = Set(events.map(\.id))
        rows = Rows(
            "wish", most: Child.limit + 10,
            filled: self.children.map { child in
                WishForm(child.id, (stored[child.id] ?? []).filter(there.contains))
            })
        offer()
    }

    private mutating func offer() {
        for (index, child) in children.enumerated() {
            let choices = events.filter { $0.fits(child.ages(on: $0.day)) }.map { event in
                Choice("\(event.id)", event.name)
            }
            for rank in WishForm.ranks { rows.offer(index, rank, choices) }
        }
    }

    /// The form, drawn from what stands in the rows.
    var form: Submission<WishesForm> {
        var form = WishesForm()
        form.together = isTogether
        return Submission(changing: form, rows: rows.answers)
    }

    /// Takes what was sent: each row stands where its child stands now. A row that was emptied doesn't come back: that
    /// child wishes nothing.
    mutating func read(_ body: FormBody, together: Bool) {
        let sent = Rows<WishForm>("wish", most: Child.limit + 10, body, keepsEmpty: true)
        rows = sent.matched(to: children.map { WishForm($0.id, []) }) { $0.key ?? "" }
        isTogether = together
        offer()
    }

    /// The children who wish something, each with its list.
    var lists: [(child: Child, wishes: [ID<Event>])] {
        zip(children, rows.rows).map { (child: $0, wishes: $1.form.wishes) }.filter { !$0.wishes.isEmpty }
    }

    /// What is wrong, each with its child: for the list on top of the form.
    func problems() -> [Problem] {
        let typed = zip(children, rows.rows).flatMap { child, row in
            row.problems.map {
                Problem(name: $0.name, words: "\(child.name, as: "name"): \($0.words, as: "reason")")
            }
        }
        guard typed.isEmpty else { return typed }
        let lists = self.lists
        if lists.isEmpty { return [Problem(name: nil, words: "Choose an event for one of your children.")] }
        if let twice = lists.first(where: { Set($0.wishes).count < $0.wishes.count }) {
            return [Problem(name: nil, words: "\(twice.child.name, as: "name"): choose each event once.")]
        }
        guard isTogether, lists.count > 1 else { return [] }
        guard lists.allSatisfy({ $0.wishes == lists[0].wishes }) else {
            return [
                Problem(
                    name: nil,
                    words: "To come together they need the same wishes: choose the same events in the same order.")
            ]
        }
        let small = events.first { event in
            lists[0].wishes.contains(event.id) && event.spots.map { $0 < lists.count } ?? false
        }
        return small.map {
            [Problem(name: nil, words: "\($0.name, as: "title") has fewer places than you need together.")]
        } ?? []
    }

    /// What is said of wishes that come when the time is over.
    var tooLate: Words {
        code == nil
            ? "The time for wishes ended with \(draw.lastDay.fullName, as: "day"). Nothing was saved."
            : """
            The time for wishes ended with \(draw.lastDay.fullName, as: "day"). This was not saved; your wishes of \
            before count.
            """
    }

    /// A child's part of the form.
    struct Drawn: Sendable {
        let child: Child
        let hidden: Input
        let inputs: [Input]
    }

    /// The children's parts, with no more wishes than there are events for each.
    var drawn: [Drawn] {
        zip(children, rows.rows).map { child, row in
            let count = events.count(where: { $0.fits(child.ages(on: $0.day)) })
            return Drawn(child: child, hidden: row[\.key], inputs: WishForm.ranks.prefix(count).map { row[$0] })
        }
    }
}
