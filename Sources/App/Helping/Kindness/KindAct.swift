import Forms
import Templating

/// A small kind thing to do: one of the catalog, or one that a neighbor wrote.
struct KindAct: Sendable {
    let id: ID<KindAct>
    let name: Words
    let description: Words
    let theme: Theme
    let difficulty: Difficulty
    /// About how long it takes; nil of one's own, which says nothing of it.
    let minutes: Int?
    /// Whether it goes well together with children.
    let isForChildren: Bool
    /// What a neighbor wrote of it; nil of one that every site has.
    var written: Written?

    /// Where the numbers of people's own acts begin, above those of the catalog.
    static let firstOwn: Int64 = 10_000
    /// The most acts of one's own, and the most on one's list.
    static let most = 100
    /// The most acts written by neighbors that are shown at once.
    static let mostOfTown = 500
    /// How often on one day the same act gives points.
    static let mostWithPoints = 3

    /// Whether the reader wrote it.
    var isOwn: Bool { written?.isReaders ?? false }
    /// Whether only its author sees it.
    var isPrivate: Bool { written.map { $0.state != .listed } ?? false }
    var points: Int { difficulty.points }
    var link: Link { .act(id) }
    /// The act in a list.
    var anchor: String { "act-\(id)" }

    /// An act that a neighbor wrote.
    struct Written: Sendable {
        let id: ID<Written>
        /// As they typed it.
        let name: String
        let isReaders: Bool
        let state: State

        enum State: Sendable {
            /// Its author's alone.
            case kept
            /// Proposed for everybody: somebody looks at it.
            case proposed
            /// In the catalog.
            case listed
            /// Those who run the site took it for no act for everybody.
            case declined
        }

        var subject: Subject { .act(id) }

        /// Why one more isn't proposed for everybody now.
        static func tooMany(_ wait: Duration) -> Words {
            """
            You proposed several in a short time, and somebody looks at each. Keep this one for yourself for now, and \
            propose it in \(wait.inWords, as: "time").
            """
        }
    }

    /// What it takes, in a line.
    var summary: Words {
        guard let minutes else { return "\(difficulty.name, as: "difficulty") · \(pointsInWords, as: "points")" }
        let time = Words("{count} minute", plural: "{count} minutes", count: minutes)
        return "\(time, as: "time") · \(difficulty.name, as: "difficulty") · \(pointsInWords, as: "points")"
    }

    var pointsInWords: Words { Words("{count} point", plural: "{count} points", count: points) }

    /// What it is about.
    enum Theme: String, CaseIterable, Sendable, FormValue {
        case friends, family, neighbors, strangers, town, animals, earth, yourself

        var name: Words {
            switch self {
            case .friends: "Friends"
            case .family: "Family"
            case .neighbors: "Neighbors"
            case .strangers: "Strangers"
            case .town: "The town"
            case .animals: "Animals"
            case .earth: "The earth"
            case .yourself: "Yourself"
            }
        }

        var motif: Motif {
            switch self {
            case .friends: .party
            case .family: .cook
            case .neighbors: .blocks
            case .strangers: .books
            case .town: .kite
            case .animals: .animals
            case .earth: .leaf
            case .yourself: .paint
            }
        }

        var link: Link { Link.theme(rawValue) }

        /// The bit that says it was touched.
        var bit: Int { 1 << (Self.allCases.firstIndex(of: self) ?? 0) }
    }

    /// What it asks of somebody.
    enum Difficulty: String, CaseIterable, Sendable, FormValue {
        case easy, time, brave

        var name: Words {
            switch self {
            case .easy: "Easy"
            case .time: "Takes time"
            case .brave: "Takes courage"
            }
        }

        var points: Int {
            switch self {
            case .easy: 10
            case .time: 20
            case .brave: 25
            }
        }
    }

    /// The act of a day, the same for the whole town. Each comes round once before any returns.
    static func ofDay(_ day: Day) -> KindAct {
        let acts = KindAct.catalog
        // A step that shares no factor with the number of acts meets each of them once.
        var step = 37
        while !areCoprime(step, acts.count) { step += 1 }
        let place = (day.number % acts.count + acts.count) % acts.count
        return acts[place * step % acts.count]
    }

    private static func areCoprime(_ a: Int, _ b: Int) -> Bool { b == 0 ? a == 1 : areCoprime(b, a % b) }

    /// When an act of the catalog was last the act of the day, before `today`.
    static func lastFeatured(_ id: ID<KindAct>, before today: Day) -> Day? {
        (1...max(1, catalog.count)).lazy.map { today.advanced(by: -$0) }.first { ofDay($0).id == id }
    }

    /// Whether an act holds all these words, in the language they are read in.
    static func holds(_ typed: String, in language: Language) -> (KindAct) -> Bool {
        let words = folded(typed).split { !$0.isLetter && !$0.isNumber }.map(String.init)
        guard !words.isEmpty else { return { _ in true } }
        return { act in
            let text = folded(
                [act.name, act.description, act.theme.name].map { $0.text(in: language) }.joined(separator: " "))
            return words.allSatisfy(text.contains)
        }
    }

    static func listed(_ id: ID<KindAct>) -> KindAct? { catalogByID[id] }

    private static let catalogByID = Dictionary(
        (catalog + [need]).map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
}

/// An act of one's own.
struct ActForm: Form {
    var name = ""
    var description: String?
    var theme = KindAct.Theme.friends
    var difficulty = KindAct.Difficulty.easy
    var isForEverybody = false

    static let fields: [Field<ActForm>] = [
        .text("name", \.name, "What you want to do", 3...80).missing("Say what you want to do."),
        .area("description", \.description, "What helps you do it", 1...1_000),
        .choice("theme", \.theme, "Theme", options: KindAct.Theme.allCases.map { Choice($0.rawValue, $0.name) }),
        .choice(
            "difficulty", \.difficulty, "How hard it is",
            options: KindAct.Difficulty.allCases.map { Choice($0.rawValue, $0.name) }
        ).drawn(as: .radios),
        .checkbox("propose", \.isForEverybody, "Propose it for everybody")
            .hint("Somebody who runs this site looks at it first. Then it is in the catalog, without your name."),
    ]
}

extension KindAct {
    /// An act that a neighbor wrote.
    init(_ written: Written, description: String, theme: Theme, difficulty: Difficulty) {
        self.init(
            id: ID(Self.firstOwn + written.id.rawValue), name: Words(verbatim: written.name),
            description: Words(verbatim: description), theme: theme, difficulty: difficulty, minutes: nil,
            isForChildren: false, written: written)
    }
}
