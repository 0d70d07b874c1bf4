import Forms
import Templating

/// A small act of kindness, from the catalog or written by a neighbor.
struct KindAct: Sendable {
    let id: ID<KindAct>
    let name: Words
    let description: Words
    let theme: Theme
    let difficulty: Difficulty
    /// The approximate duration; nil for people's own acts.
    let minutes: Int?
    /// Whether it is suitable to do with children.
    let isForChildren: Bool
    /// The data of a neighbor's act; nil for a built-in one.
    var written: Written?

    /// The lowest number for people's own acts, above those of the catalog.
    static let firstOwn: Int64 = 10_000
    /// The most own acts, and the most acts on a list.
    static let most = 100
    /// The most neighbors' acts shown at once.
    static let mostOfTown = 500
    /// How often the same act earns points in one day.
    static let mostWithPoints = 3

    /// Whether the reader wrote it.
    var isOwn: Bool { written?.isReaders ?? false }
    /// Whether only its author can see it.
    var isPrivate: Bool { written.map { $0.state != .listed } ?? false }
    var points: Int { difficulty.points }
    var link: Link { .act(id) }
    /// Its anchor in a list.
    var anchor: String { "act-\(id)" }

    /// An act written by a neighbor.
    struct Written: Sendable {
        let id: ID<Written>
        /// The name as typed.
        let name: String
        let isReaders: Bool
        let state: State

        enum State: Sendable {
            /// Only for its author.
            case kept
            /// Proposed for everyone, and waiting for review.
            case proposed
            /// In the catalog.
            case listed
            /// Rejected for the catalog.
            case declined
        }

        var subject: Subject { .act(id) }

        /// The message if no further act can be proposed now.
        static func tooMany(_ wait: Duration) -> Words {
            """
            You proposed several in a short time, and somebody looks at each. Keep this one for yourself for now, and \
            propose it in \(wait.inWords, as: "time").
            """
        }
    }

    /// The effort, on one line.
    var summary: Words {
        guard let minutes else { return "\(difficulty.name, as: "difficulty") · \(pointsInWords, as: "points")" }
        let time = Words("{count} minute", plural: "{count} minutes", count: minutes)
        return "\(time, as: "time") · \(difficulty.name, as: "difficulty") · \(pointsInWords, as: "points")"
    }

    var pointsInWords: Words { Words("{count} point", plural: "{count} points", count: points) }

    /// The theme.
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

        /// The theme's bit.
        var bit: Int { 1 << place }

        /// Its place among all themes.
        var place: Int { Self.allCases.firstIndex(of: self) ?? 0 }
    }

    /// How difficult it is.
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

    /// The act of a day, the same for the whole town. All acts appear once before any is repeated.
    static func ofDay(_ day: Day) -> KindAct {
        let acts = KindAct.catalog
        // A step that is coprime to the number of acts visits each of them once.
        var step = 37
        while !areCoprime(step, acts.count) { step += 1 }
        let place = (day.number % acts.count + acts.count) % acts.count
        return acts[place * step % acts.count]
    }

    private static func areCoprime(_ a: Int, _ b: Int) -> Bool { b == 0 ? a == 1 : areCoprime(b, a % b) }

    /// When a catalog act was last the act of the day, before `today`.
    static func lastFeatured(_ id: ID<KindAct>, before today: Day) -> Day? {
        (1...max(1, catalog.count)).lazy.map { today.advanced(by: -$0) }.first { ofDay($0).id == id }
    }

    /// Whether an act contains all these words, in the reader's language.
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

/// The form for one's own act.
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
    /// A neighbor's act.
    init(_ written: Written, description: String, theme: Theme, difficulty: Difficulty) {
        self.init(
            id: ID(Self.firstOwn + written.id.rawValue), name: Words(verbatim: written.name),
            description: Words(verbatim: description), theme: theme, difficulty: difficulty, minutes: nil,
            isForChildren: false, written: written)
    }
}
