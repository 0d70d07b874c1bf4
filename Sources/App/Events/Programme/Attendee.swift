import Forms
import Templating

/// A person who joins a community event: the member, or one of the member's children.
enum Attendee: FormValue, Hashable {
    case me
    case child(ID<Child>)

    /// The form's value: `me`, `child-3`.
    init?(typed: String) {
        if typed == "me" {
            self = .me
        } else if typed.hasPrefix("child-"), let id = ID<Child>(String(typed.dropFirst(6))) {
            self = .child(id)
        } else {
            return nil
        }
    }

    var typed: String {
        switch self {
        case .me: "me"
        case .child(let id): "child-\(id)"
        }
    }

    var child: ID<Child>? { if case .child(let id) = self { id } else { nil } }

    /// None of the named people could join.
    enum Refused: Error, Equatable {
        /// The event is over or canceled.
        case closed
        /// There are fewer places than people.
        case full
        /// A child's age doesn't fit.
        case tooYoungOrOld
        /// Several people could be meant.
        case nobody

        var words: Words {
            switch self {
            case .closed: "Joining is over here. Nobody joined now."
            case .full: "There are not enough places left. Nobody joined now."
            case .nobody: "Choose who leaves."
            case .tooYoungOrOld: "It is for other ages. Nobody joined now."
            }
        }
    }
}

/// A member's people who take part in an event or activity, and those who could.
struct Going: Sendable {
    let people: [Person]
    /// Whether people can join and leave: until it is over.
    let isOpen: Bool
    let placesLeft: Int?
    /// A problem with joining.
    var problem: Words?

    /// One of a member's people.
    struct Person: Sendable {
        let attendee: Attendee
        /// Nil for the member.
        let name: String?
        let isFit: Bool
        let isIn: Bool
        /// Whether they are on the waiting list.
        var isWaiting = false

        var label: Words { name.map(Words.init(verbatim:)) ?? "You" }
    }

    var joined: [Person] { people.filter(\.isIn) }
    var joinable: [Person] { isOpen && placesLeft != 0 ? people.filter { !$0.isIn && $0.isFit } : [] }

    /// The people who can wait for a place, or do.
    var waitable: [Person] {
        isOpen && placesLeft == 0 ? people.filter { !$0.isIn && $0.isFit && !$0.isWaiting } : []
    }
    var waiting: [Person] { people.filter { $0.isWaiting && !$0.isIn } }
    var onlyWaitable: Person? { waitable.count == 1 ? waitable[0] : nil }
    var onlyWaiting: Person? { waiting.count == 1 ? waiting[0] : nil }
    var waitingNames: Words { waiting.map(\.label).listed(.short) }

    /// Whether the member can join in person, and whether they did.
    var canJoinInPerson: Bool { joinable.contains { $0.attendee == .me } }
    var isInPerson: Bool { joined.contains { $0.attendee == .me } }

    /// The participants on one line.
    var names: Words { joined.map(\.label).listed(.short) }

    /// The only person who can be meant; nil if there are several.
    var onlyJoinable: Person? { joinable.count == 1 ? joinable[0] : nil }
    var onlyJoined: Person? { joined.count == 1 ? joined[0] : nil }

    /// - Parameters:
    ///   - children: The member's children, with their possible ages on the day.
    ///   - present: The current participants.
    ///   - waiting: The people waiting for a place.
    init(
        _ facts: some Joinable, children: [Child], present: Set<Attendee>, waiting: Set<Attendee> = [],
        at now: Instant
    ) {
        isOpen = facts.isOpen(at: now)
        placesLeft = facts.placesLeft
        let me = Person(
            attendee: .me, name: nil, isFit: facts.takesAdults, isIn: present.contains(.me),
            isWaiting: waiting.contains(.me))
        people =
            [me]
            + children.map { child in
                Person(
                    attendee: .child(child.id), name: child.name, isFit: facts.fits(child.ages(on: facts.day)),
                    isIn: present.contains(.child(child.id)), isWaiting: waiting.contains(.child(child.id)))
            }
    }
}

/// Something to join.
protocol Joinable {
    var day: Day { get }
    var placesLeft: Int? { get }
    /// Whether adults take part themselves, rather than only bringing a child.
    var takesAdults: Bool { get }
    func fits(_ ages: ClosedRange<Int>) -> Bool
    func isOpen(at now: Instant) -> Bool
}

extension Event: Joinable {
    var takesAdults: Bool { isForEveryone }
}
