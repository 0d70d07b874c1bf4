import Forms
import Templating

/// A young person without an account who comes to a shift with a helper who isn't their parent. A parent agrees first,
/// through a link and without an account; nothing about either is stored except the agreement.
struct YoungPerson: Sendable {
    let id: ID<YoungPerson>
    /// The deadline for a parent's agreement, after which others get the place.
    let until: Instant
    let agreedAt: Instant?

    var hasYes: Bool { agreedAt != nil }

    /// The most per adult.
    static let most = 3
    /// How long a parent has to agree, unless the shift begins earlier.
    static let patience = Duration.days(7)
    /// How long the agreement is stored after the shift.
    static let memory = Companion.memory

    /// The numbers of young people in a sign-up.
    struct Count: Sendable, Equatable {
        /// With a parent's agreement.
        var agreed = 0
        /// Without one so far.
        var awaited = 0

        var all: Int { agreed + awaited }

        /// For their adult.
        var words: [Words] {
            all == 0 ? [] : [Words("{count} young person", plural: "{count} young people", count: all)]
        }

        /// For the organization.
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

    /// The reasons why nobody else can be brought.
    enum Refused: Error {
        case closed, many, full

        var words: Words {
            switch self {
            case .closed: "Nobody under 18 can come along there anymore."
            case .many: "One adult can bring at most \(YoungPerson.most, as: "count")."
            case .full: "There is no free place in this shift at the moment."
            }
        }
    }
}

/// The request for a parent with the link: the occasion, without any names.
struct YoungRequest: Sendable {
    let opportunity: Opportunity
    let shift: Shift
    /// Whether a parent agreed already.
    var isAgreed = false

    var place: Words { opportunity.place.words }
    /// What a parent is asked about.
    var question: Words {
        opportunity.kind == .shadow
            ? "A young person would like to come along" : "A young person would like to help"
    }
}

/// The young people on the page of a sign-up.
struct YoungPart: Sendable {
    let signup: Signup
    let all: [YoungPerson]
    /// Whether young people may be added now.
    let isOpen: Bool
    let zone: Zone
    /// The link that was just made.
    var link: String?
    var refused: YoungPerson.Refused?
    /// Whether children of the family can be added, too.
    var room: Companion.Room?

    /// Whether there are no more places.
    var isFull: Bool { isOpen && signup.shift.map { $0.left > 0 } != true }
    var canBring: Bool { isOpen && !isFull && all.count < YoungPerson.most }
    /// Whether a place can be given back: until the shift begins.
    var canGiveBack = false
    /// Each with a number, because they have no names.
    var numbered: [(number: Int, one: YoungPerson)] { all.enumerated().map { ($0.offset + 1, $0.element) } }
    var isShown: Bool { isOpen || !all.isEmpty }
    /// Why nobody could be added, leading to this part where the page has it.
    var problems: [Problem] {
        refused.map { [Problem(name: isShown ? "young" : nil, words: $0.words)] } ?? []
    }
    var path: Link { signup.link / "young" }
    /// The page to add one's own children.
    var adding: Link {
        Link.opportunity(signup.opportunity).with("add", signup.shift?.id ?? ID(0)).fragment("sign-up")
    }

    func moment(_ one: YoungPerson) -> Words { zone.words(one.until, \.shortName) }
}
