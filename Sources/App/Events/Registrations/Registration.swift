import Forms
import Templating

/// One family's party at one event.
struct Registration: Sendable {
    let id: ID<Registration>
    let event: Event
    let account: ID<Account>
    var state: State
    let people: [Person]
    let createdAt: Instant
    let sharing: Sharing
    /// What changed since then and the family hasn't seen yet.
    var changes: [Change] = []

    /// How many other parties wait before it.
    var ahead = 0
    /// Whether it came onto the waiting list at some time, and never got a place.
    var hasWaited = false
    /// Whether fewer places than children are welcome.
    var takesFewer = false
    /// Whether others had what was too little for it, and how many places are kept for it since.
    var wasPassedOver = false
    var kept = 0
    /// Whether the family said that it needs help with the fee, which its host reads.
    var needsHelp = false
    /// What is promised to it.
    var offer: Offer?

    /// What became of it so far.
    enum State: String, Sendable {
        case confirmed
        /// It waits until there is room.
        case waiting
        /// There is room, and the parent has to say whether they come.
        case offered
        /// All of it was given back, or it no longer waits.
        case cancelled
    }

    /// What a party wants where there aren't places for all of it.
    enum Manner: String, FormValue, CaseIterable {
        /// All or nobody.
        case whole
        /// As many as there are places for; the others wait.
        case fits

        var name: Words {
            switch self {
            case .whole: "All together, or nobody"
            case .fits: "Those who fit; the others wait"
            }
        }

        static let choices = allCases.map { Choice($0, $0.name) }
    }

    var isCancelled: Bool { state == .cancelled }
    var isWaiting: Bool { state == .waiting || state == .offered }

    /// Whether it can't have places anymore as it is: the event has fewer in all than it waits for.
    var isTooLarge: Bool {
        state == .waiting && !takesFewer && (event.spots.map { coming.count > $0 } ?? false)
    }

    /// Whether it waits because it needs more places at once than were free.
    var needsMore: Bool { coming.count > 1 && !takesFewer && (wasPassedOver || kept > 0) }

    /// Where it stands in line: `3`.
    var position: Words { "\(ahead + 1, as: "place")" }

    /// What the provider is told about the children beyond nickname and age.
    enum Sharing: Sendable {
        /// There is nothing to tell.
        case nothing
        case off, on
        /// It was shared, of one child at least, until the event moved far from the day the parent agreed to, or the
        /// place was given back.
        case asksAgain
    }

    /// One child of the party.
    struct Person: Sendable {
        let child: ID<Child>?
        /// Nil after the child was removed.
        let name: String?
        let isCancelled: Bool

        var label: Words { Self.label(name) }
        var initial: String { name.map { String($0.prefix(1)).uppercased() } ?? "?" }

        /// What somebody is called: an empty name is the parent in person; a child that was removed has none anymore.
        static func label(_ name: String?) -> Words {
            guard let name else { return "a child" }
            return name.isEmpty ? Words("you") : Words(verbatim: name)
        }
    }

    /// Those who still come.
    var coming: [Person] { people.filter { !$0.isCancelled } }

    /// Their names, in one line: `Mo, Lu`.
    var names: Words { coming.map(\.label).listed(.short) }

    /// Whether it was made just now: for so long its page congratulates.
    func isNew(at now: Instant) -> Bool { now - createdAt < .minutes(10) }

    /// Whether notes can be shared: not of those who don't come, nor for what is over or canceled.
    func canShare(at now: Instant) -> Bool {
        state == .confirmed && !event.isCancelled && !event.isOver(at: now)
    }

    func canGiveBack(at now: Instant) -> Bool {
        !isCancelled && !coming.isEmpty && event.isOpen(at: now)
    }
}

/// How many families are told when an event changes.
struct Concerned: Sendable {
    /// Those that have places.
    let families: Int
    /// Others, that wait for places or have to answer.
    let waiting: Int
    /// The people who joined events for everybody; nil of events for children.
    let people: Int?
    /// People the host added, whom no letter reaches.
    let guests: Int

    /// What is said of those; nil where there are none.
    var guestWords: Words? { Guest.words(counting: guests) }

    var words: Words {
        if let people {
            return people == 0
                ? "Nobody is going yet."
                : Words("{count} person is going.", plural: "{count} people are going.", count: people)
        }
        let registered = Words(
            "{count} family is registered.", plural: "{count} families are registered.", count: families)
        let inLine = Words("{count} family waits.", plural: "{count} families wait.", count: waiting)
        return switch (families, waiting) {
        case (0, 0): "No family is registered yet."
        case (_, 0): registered
        case (0, _): inLine
        default: "\(registered, as: "registered") \(inLine, as: "waiting")"
        }
    }

    var isNobody: Bool { families + waiting == 0 }
}

/// What came of a registration.
enum RegistrationOutcome: Sendable {
    case confirmed(ID<Registration>)
    /// Fewer places than children: nobody was registered.
    case full
    /// A child is registered already, by another form sent meanwhile.
    case alreadyRegistered
    /// The host asks something else by now.
    case askedOtherwise
}

/// The lists of a family's registrations.
enum RegistrationList: String, Sendable, CaseIterable {
    case registered, waiting, attended

    var name: Words {
        switch self {
        case .registered: "Coming up"
        case .waiting: "Waiting"
        case .attended: "Attended"
        }
    }
}

extension Registration.Line {
    /// In the language of its reader.
    var title: Words { eventTitle.words }
    var time: Words { schedule.time }
    /// Where the provider can be called.
    var numbers: [PhoneNumber] { PhoneNumber.all(in: phone) }
    /// The names of those who come, in one line.
    var who: Words { names.map(Registration.Person.label).listed(.short) }

    /// The same lines, those of one course as one: the first has the others with it.
    static func courses(_ lines: [Self]) -> [Self] {
        var courses: [Self] = []
        var places: [ID<Event>: Int] = [:]
        for line in lines {
            if let course = line.course, let place = places[course] {
                courses[place].later.append(line)
            } else {
                if let course = line.course { places[course] = courses.count }
                courses.append(line)
            }
        }
        return courses
    }
}
