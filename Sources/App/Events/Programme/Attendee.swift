import Forms
import Templating

/// Somebody who joins a community event: the member in person, or one of the member's children.
enum Attendee: FormValue, Hashable {
    case me
    case child(ID<Child>)

    /// As forms send it: `me`, `child-3`.
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

    /// None of the people who were named could join.
    enum Refused: Error, Equatable {
        /// The event is over or called off.
        case closed
        /// There are fewer places than people.
        case full
        /// A child's age isn't one that it is for.
        case tooYoungOrOld
        /// Several could be meant.
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

/// Those of a member's people who are in, and who could join: an event, or an activity of it.
struct Going: Sendable {
    let people: [Person]
    /// Whether one joins and leaves at all: until it is over.
    let isOpen: Bool
    let placesLeft: Int?
    /// What was wrong with joining just now.
    var problem: Words?

    /// One of a member's people.
    struct Person: Sendable {
        let attendee: Attendee
        /// Nil for the member in person.
        let name: String?
        let isFit: Bool
        let isIn: Bool
        /// Whether a place goes to them as soon as one is free.
        var isWaiting = false

        var label: Words { name.map(Words.init(verbatim:)) ?? "You" }
    }

    var joined: [Person] { people.filter(\.isIn) }
    var joinable: [Person] { isOpen && placesLeft != 0 ? people.filter { !$0.isIn && $0.isFit } : [] }

    /// Those who can wait for a place, and those who do.
    var waitable: [Person] {
        isOpen && placesLeft == 0 ? people.filter { !$0.isIn && $0.isFit && !$0.isWaiting } : []
    }
    var waiting: [Person] { people.filter { $0.isWaiting && !$0.isIn } }
    var onlyWaitable: Person? { waitable.count == 1 ? waitable[0] : nil }
    var onlyWaiting: Person? { waiting.count == 1 ? waiting[0] : nil }
    var waitingNames: Words { waiting.map(\.label).listed(.short) }

    /// Whether the member in person can join, and whether they did.
    var canJoinInPerson: Bool { joinable.contains { $0.attendee == .me } }
    var isInPerson: Bool { joined.contains { $0.attendee == .me } }

    /// Those who are in, in one line.
    var names: Words { joined.map(\.label).listed(.short) }

    /// The one person who can be meant, where it is only one.
    var onlyJoinable: Person? { joinable.count == 1 ? joinable[0] : nil }
    var onlyJoined: Person? { joined.count == 1 ? joined[0] : nil }

    /// - Parameters:
    ///   - children: The member's children, with the ages each may have on the day.
    ///   - present: Who is in already.
    ///   - waiting: Who waits for a place.
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

/// What one can join.
protocol Joinable {
    var day: Day { get }
    var placesLeft: Int? { get }
    /// Whether a grown-up takes a place there, and doesn't only bring a child.
    var takesAdults: Bool { get }
    func fits(_ ages: ClosedRange<Int>) -> Bool
    func isOpen(at now: Instant) -> Bool
}

extension Event: Joinable {
    var takesAdults: Bool { isForEveryone }
}
