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
    /// The changes since then that the family hasn't seen.
    var changes: [Change] = []

    /// The number of other parties before it on the waiting list.
    var ahead = 0
    /// Whether it was on the waiting list and never got a place.
    var hasWaited = false
    /// Whether it accepts fewer places than children.
    var takesFewer = false
    /// Whether others got places that were too few for it, and how many have been kept for it since.
    var wasPassedOver = false
    var kept = 0
    /// Whether the family needs help with the fee, which its host sees.
    var needsHelp = false
    /// The offer to it.
    var offer: Offer?

    /// Its state.
    enum State: String, Sendable {
        case confirmed
        /// It waits for a place.
        case waiting
        /// There is an offer that the parent must answer.
        case offered
        /// Its children only wait for sessions of the event.
        case queued
        /// Everything was given back, or it no longer waits.
        case cancelled
    }

    /// What to do if there aren't enough places for a party.
    enum Manner: String, FormValue, CaseIterable {
        /// All or none.
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
    var isWaiting: Bool { state == .waiting || state == .offered || state == .queued }

    /// Whether it can't get places anymore, because the event has fewer in total than it waits for.
    var isTooLarge: Bool {
        state == .waiting && !takesFewer && (event.spots.map { coming.count > $0 } ?? false)
    }

    /// Whether it waits because it needs more places at once than were free.
    var needsMore: Bool { coming.count > 1 && !takesFewer && (wasPassedOver || kept > 0) }

    /// Its position on the waiting list: `3`.
    var position: Words { "\(ahead + 1, as: "place")" }

    /// What the provider is told about the children in addition to nickname and age.
    enum Sharing: Sendable {
        /// There is nothing to share.
        case nothing
        case off, on
        /// Notes about at least one child were shared, until the event moved too far from the day to which the parent
        /// agreed, or the place was given back.
        case asksAgain
    }

    /// A person in the party.
    struct Person: Sendable {
        let child: ID<Child>?
        /// Nil if the child was deleted.
        let name: String?
        let isCancelled: Bool

        var label: Words { Family.label(name) }
        var initial: String { name.map { String($0.prefix(1)).uppercased() } ?? "?" }
    }

    /// The people who still come.
    var coming: [Person] { people.filter { !$0.isCancelled } }

    /// Their names on one line: `Mo, Lu`.
    var names: Words { coming.map(\.label).listed(.short) }

    /// Whether it has just been made: its page shows congratulations for a while.
    func isNew(at now: Instant) -> Bool { now - createdAt < .minutes(10) }

    /// Whether notes can be shared: not about people who don't come, nor if it is over or canceled.
    func canShare(at now: Instant) -> Bool {
        (state == .confirmed || state == .queued) && !event.isCancelled && !event.isOver(at: now)
    }

    func canGiveBack(at now: Instant) -> Bool {
        !isCancelled && !coming.isEmpty && event.isOpen(at: now)
    }
}

/// How many families are notified when an event changes.
struct Concerned: Sendable {
    /// Families with places.
    let families: Int
    /// Other families, which wait or have an offer.
    let waiting: Int
    /// The people who joined an event for everyone; nil for events for children.
    let people: Int?
    /// Guests added by the host, who get no letters.
    let guests: Int

    /// A sentence about them; nil if there are none.
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

/// The result of a registration.
enum RegistrationOutcome: Sendable {
    case confirmed(ID<Registration>)
    /// There were fewer places than children: nobody was registered.
    case full
    /// A child is already registered, by another form sent meanwhile.
    case alreadyRegistered
    /// The host has changed the questions.
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
    /// In the reader's language.
    var title: Words { eventTitle.words }
    var time: Words { schedule.time }
    /// The provider's phone numbers.
    var numbers: [PhoneNumber] { PhoneNumber.all(in: phone) }
    /// The participants' names on one line.
    var who: Words { names.map(Family.label).listed(.short) }
    var isInPerson: Bool { !address.city.isEmpty }
    /// The place on one line.
    var place: Words { isInPerson ? address.words : "Online" }

    /// The lines with those of a course merged: the first contains the others.
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

extension LetterLink<Registration> {
    /// Gives back all of the family's places at an event; used in reminders.
    static var giveBack: Self { Self(.givingBack, "back") }
    /// Answers an offer of places while it is open.
    static var offer: Self { Self(.offers, "offer") }
}
