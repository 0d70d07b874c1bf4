import Forms
import Templating

/// One child's wishes: up to five events, in order of preference.
struct WishForm: Form {
    /// The child.
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

    /// The chosen events in order, without gaps.
    var wishes: [ID<Event>] { Self.ranks.compactMap { self[keyPath: $0].flatMap { ID<Event>($0) } } }
}

/// The common part of a family's form; the children are rows.
struct WishesForm: Form {
    var together = false

    static let fields: [Field<WishesForm>] = [
        .checkbox("together", \.together, "Brothers and sisters in the same event, or not at all")
    ]
}

/// A family's wishes in a draw.
struct WishSheet: Sendable {
    let draw: Draw
    /// The draw's events, in order of time.
    let events: [Event]
    /// The children who can come to at least one of them; each has a row.
    let children: [Child]
    /// The other children.
    let unfit: [Child]
    private(set) var rows: Rows<WishForm>
    var isTogether: Bool
    /// The code of the saved wishes; nil if there are none.
    let code: String?

    /// Whether a host asks something of those who get a place.
    var isAsking: Bool { events.contains(where: \.isAsking) }

    /// - Parameter stored: The saved wishes, by child.
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
        // A canceled wish leaves no gap: the next one moves up.
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

    /// The form, drawn from the rows.
    var form: Submission<WishesForm> {
        var form = WishesForm()
        form.together = isTogether
        return Submission(changing: form, rows: rows.answers)
    }

    /// Takes the sent wishes, each for its child. A row that was cleared means that the child has no wishes.
    mutating func read(_ body: FormBody, together: Bool) {
        let sent = Rows<WishForm>("wish", most: Child.limit + 10, body, keepsEmpty: true)
        rows = sent.matched(to: children.map { WishForm($0.id, []) }) { $0.key ?? "" }
        isTogether = together
        offer()
    }

    /// The children with wishes, each with its list.
    var lists: [(child: Child, wishes: [ID<Event>])] {
        zip(children, rows.rows).map { (child: $0, wishes: $1.form.wishes) }.filter { !$0.wishes.isEmpty }
    }

    /// The problems with their children, for the list at the top of the form.
    func problems() -> [Problem] {
        let typed = zip(children, rows.rows).flatMap { child, row in
            row.problems.map {
                Problem(name: $0.name, words: "\(child.name, as: "name"): \($0.words, as: "reason")")
            }
        }
        guard typed.isEmpty else { return typed }
        let lists = self.lists
        if lists.isEmpty {
            return [Problem(name: field(of: children.first), words: "Choose an event for one of your children.")]
        }
        if let twice = lists.first(where: { Set($0.wishes).count < $0.wishes.count }) {
            return [
                Problem(
                    name: field(of: twice.child), words: "\(twice.child.name, as: "name"): choose each event once.")
            ]
        }
        guard isTogether, lists.count > 1 else { return [] }
        guard lists.allSatisfy({ $0.wishes == lists[0].wishes }) else {
            return [
                Problem(
                    name: "together",
                    words: "To come together they need the same wishes: choose the same events in the same order.")
            ]
        }
        let small = events.first { event in
            lists[0].wishes.contains(event.id) && event.spots.map { $0 < lists.count } ?? false
        }
        return small.map {
            [Problem(name: "together", words: "\($0.name, as: "title") has fewer places than you need together.")]
        } ?? []
    }

    /// The name of a child's first field.
    private func field(of child: Child?) -> String? {
        zip(children, rows.rows).first { $0.0.id == child?.id }.map { $0.1[\.first].name }
    }

    /// What is said of wishes that come when the time is over.
    var tooLate: Words {
        code == nil
            ? "The time for wishes ended on \(draw.lastDay.fullName, as: "day"). Nothing was saved."
            : """
            The time for wishes ended on \(draw.lastDay.fullName, as: "day"). This was not saved; your earlier \
            wishes count.
            """
    }

    /// A child's part of the form.
    struct Drawn: Sendable {
        let child: Child
        let hidden: Input
        let inputs: [Input]
    }

    /// The children's parts, with at most as many wishes as events.
    var drawn: [Drawn] {
        zip(children, rows.rows).map { child, row in
            let count = events.count(where: { $0.fits(child.ages(on: $0.day)) })
            return Drawn(child: child, hidden: row[\.key], inputs: WishForm.ranks.prefix(count).map { row[$0] })
        }
    }
}

extension Draw {
    /// A wish of a removed child, kept so that it can be restored.
    struct KeptWish: Sendable {
        let sheet: Int64
        /// The child's number on the sheet.
        let number: Int
        let rank: Int
        let event: ID<Event>
        /// When the draw's wishes were sealed; nil if they weren't yet.
        let sealedAt: Instant?
    }
}

extension Draw.KeptWish {
    /// Its values with spaces between, as they are stored.
    var text: String { "\(sheet) \(number) \(rank) \(event) \(sealedAt?.milliseconds ?? 0)" }

    init?(_ text: String) {
        let values = text.split(separator: " ").compactMap { Int64($0) }
        guard values.count == 5 else { return nil }
        self.init(
            sheet: values[0], number: Int(values[1]), rank: Int(values[2]), event: ID(values[3]),
            sealedAt: values[4] == 0 ? nil : Instant(milliseconds: values[4]))
    }
}
