import Forms
import Templating

/// A young person without an account who comes to a shift with an adult who helps there, and isn't a child of theirs.
/// A parent says yes first, by a link and without an account; of both nothing is kept but that yes.
struct YoungPerson: Sendable {
    let id: ID<YoungPerson>
    /// Until when a parent can say yes: then others have the place.
    let until: Instant
    let agreedAt: Instant?

    var hasYes: Bool { agreedAt != nil }

    /// The most that one adult brings.
    static let most = 3
    /// How long a parent has for an answer, where the shift doesn't begin earlier.
    static let patience = Duration.days(7)
    /// How long the yes is kept after the shift.
    static let memory = Companion.memory

    /// How many come with somebody.
    struct Count: Sendable, Equatable {
        /// With a parent's yes.
        var agreed = 0
        /// Without one so far.
        var awaited = 0

        var all: Int { agreed + awaited }

        /// As their adult reads it.
        var words: [Words] {
            all == 0 ? [] : [Words("{count} young person", plural: "{count} young people", count: all)]
        }

        /// As the organization reads it.
        var detail: [Words] {
            var lines: [Words] = []
            if agreed > 0 {
                lines.append(
                    Words(
                        "{count} young person (a parent agreed)", plural: "{count} young people (a parent agreed)",
                        count: agreed))
            }
            if awaited > 0 {
                lines.append(
                    Words(
                        "{count} young person (waits for a parent’s yes)",
                        plural: "{count} young people (wait for a parent’s yes)", count: awaited))
            }
            return lines
        }
    }

    /// Why nobody more can be brought.
    enum Refused: Error {
        case closed, many, full

        var words: Words {
            switch self {
            case .closed: "Nobody under 18 can come along there anymore."
            case .many: "\(YoungPerson.most, as: "count") are as many as one adult brings."
            case .full: "There is no free place in this shift at the moment."
            }
        }
    }
}

/// What a parent is asked, who has the link: what it is about, and nothing of anybody.
struct YoungRequest: Sendable {
    let opportunity: Opportunity
    let shift: Shift
    /// Whether a parent said yes already.
    var isAgreed = false

    var place: Words { opportunity.place.words }
}

/// The young people whom somebody brings, on the page of their sign-up.
struct YoungPart: Sendable {
    let signup: Signup
    let all: [YoungPerson]
    /// Whether young people may come along there now.
    let isOpen: Bool
    let zone: Zone
    /// The link that was made just now.
    var link: String?
    var problem: Words?
    /// Whether children of the family can come along, too.
    var room: Companion.Room?

    /// Whether nobody else can come along, for want of places.
    var isFull: Bool { isOpen && signup.shift.map { $0.left > 0 } != true }
    var canBring: Bool { isOpen && !isFull && all.count < YoungPerson.most }
    /// Whether a place can be given back: until the shift begins.
    var canGiveBack = false
    /// Each with what it is called there, since it has no name.
    var numbered: [(number: Int, one: YoungPerson)] { all.enumerated().map { ($0.offset + 1, $0.element) } }
    var isShown: Bool { isOpen || !all.isEmpty }
    var path: Link { signup.link / "young" }
    /// Where one's own children are added.
    var adding: Link {
        Link.opportunity(signup.opportunity).with("add", signup.shift?.id ?? ID(0)).fragment("sign-up")
    }

    func moment(_ one: YoungPerson) -> Words { zone.words(one.until, \.shortName) }
}
