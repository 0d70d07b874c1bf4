import Forms
import Templating

/// Something that is needed around the corner: three blankets, a ladder for an afternoon, a lift.
struct Need: Sendable {
    let id: ID<Need>
    let author: Author
    var kind: Kind
    var title: String
    var description: String
    /// How many are needed.
    var wanted: Int
    /// How many are promised and not there yet, and how many are there.
    var promised = 0
    var brought = 0
    /// How many of those held wait for the author's yes.
    var waiting = 0
    /// A promise runs out after so many days without a word.
    var days: Int
    /// The last day on which it helps.
    var until: Day
    var endsAt: Instant
    var place: Place
    var isClosed = false
    var isHidden = false
    /// Whether its author was asked whether it is still needed, and hasn't said.
    var isAsked = false
    var createdAt = Instant(milliseconds: 0)
    var picture: Picture?
    /// Whether it is a place that gives all year.
    var isLasting = false
    /// When those who run the site last made sure of it, and how long that counts; nil once it doesn't.
    var verifiedAt: Instant?
    var verifiedUntil: Instant?
    /// How far it is from where somebody looks.
    var distance: Distance?

    /// Where it is needed.
    struct Place: Sendable, Equatable {
        /// Whether it is somebody's home: then nobody but who was accepted knows the street, and only until it is over.
        var isHome: Bool
        var name = ""
        var address: Address
        /// What everybody may know: the place, or of a home a corner of the grid.
        var coordinate: Coordinate?

        /// What everybody reads.
        var open: Words {
            isHome
                ? "a home in \(address.city, as: "city")"
                : whole
        }

        /// The whole of it, for those who may know.
        var line: String { [name, address.line].filter { !$0.isEmpty }.joined(separator: ", ") }
        var whole: Words { Words(AddressLine(name: name, address: address)) }
    }

    enum Kind: String, FormValue, CaseIterable, Sendable {
        case things, time, skill, place

        var name: Words {
            switch self {
            case .things: "Things"
            case .time: Words("Time", context: "that neighbors give")
            case .skill: "A skill"
            case .place: "A place that gives"
            }
        }

        var icon: Icon {
            switch self {
            case .things: .gift
            case .time: .clock
            case .skill: .hands
            case .place: .house
            }
        }

        static let choices = allCases.map { Choice($0, $0.name) }

        // The words for a promise: a thing is brought, time and a skill are given, to a place one comes.

        private func words(_ thing: Words, _ help: Words, _ visit: Words) -> Words {
            switch self {
            case .things: thing
            case .time, .skill: help
            case .place: visit
            }
        }

        var take: Words { words("I’ll take it", "I’ll help", "I’ll come") }
        var offer: Words { words("Offer to bring it", "Offer to help", "Offer to come") }
        var logIn: Words { words("Log in to take it", "Log in to help", "Log in to say that you come") }
        var takers: Words { words("Who takes it", "Who helps", "Who comes") }
        var offered: Words { words("You offered to bring it", "You offered to help", "You offered to come") }
        var promised: Words { words("You bring it", "You help", "You come") }
        var brought: Words { words("You brought it", "You helped", "You were there") }
        /// What the helper says once it came about, and what the author does, or says when it didn’t.
        var done: Words { words("It is there", "It is done", "I was there") }
        var thanks: Words { words("It is there, thank you", "It is done, thank you", "They came, thank you") }
        var missed: Words { words("It didn’t come", "It wasn’t done", "They didn’t come") }
        var met: Words {
            words("It is all there. Thank you!", "It is all done. Thank you!", "All of them came. Thank you!")
        }
        var saysDone: Words { words("says it is there", "says it is done", "says they were there") }
    }

    /// Needs a page.
    static let pageSize = 20
    /// How long something may be needed, and how many an account may have open at once.
    static let mostDays = 90
    static let mostOpen = 10
    /// How often its author is asked whether it is still needed, and how long for an answer.
    static let asking = Duration.days(14)
    static let patience = Duration.days(7)
    /// How often those who run the site make sure of a place that gives all year, and its author is asked.
    static let review = Duration.days(182)
    /// The last day of what has none.
    static let forever = Day(year: 9999, month: 12, day: 31) ?? Day(number: 0)
    /// How old an account is that somebody lets come to a home.
    static let acquaintance = Duration.days(7)

    var left: Int { max(0, wanted - promised - brought) }
    var isFull: Bool { left == 0 }
    var isMet: Bool { brought >= wanted }

    func isVerified(at now: Instant) -> Bool { verifiedUntil.map { $0 > now } ?? false }

    func isOpen(at now: Instant) -> Bool { !isClosed && !isHidden && endsAt > now }

    var link: Link { .need(id) }
    var subject: Subject { .need(id) }

    /// How many are promised for sure, or there.
    var sure: Int { promised - waiting + brought }

    /// How much of it is promised, and what waits for a yes: that is held, and no promise yet.
    var progress: Words {
        waiting == 0
            ? "\(sure, as: "count") of \(wanted, as: "wanted") promised"
            : "\(sure, as: "count") of \(wanted, as: "wanted") promised, \(waiting, as: "waiting") waiting for a yes"
    }

    /// Where it stands on a map.
    var pin: MapDrawing.Place? {
        place.coordinate.map { MapDrawing.Place(coordinate: $0, name: Words(verbatim: title), link: link) }
    }
}

extension Coordinate {
    /// A corner of a fixed grid of a hundredth of a degree, about a kilometer: what is said of a home.
    var gridded: Coordinate {
        Coordinate(
            latitude: (latitude * 100).rounded() / 100,
            longitude: min(180, max(-180, (longitude * 100).rounded() / 100)))
            ?? self
    }
}

/// Somebody's word to bring something.
struct Claim: Sendable {
    let id: ID<Claim>
    let need: ID<Need>
    let helper: Author
    let count: Int
    let message: String
    let state: State
    let endsAt: Instant

    enum State: String, Sendable {
        /// It is for a home, and the people who live there say yes first.
        case asked
        case taken
        /// The helper says that it is there; the author hasn't confirmed it yet.
        case brought
        case done
        /// Taken back, turned down, run out, or over.
        case ended
    }

    /// So often somebody promises one thing: each time its author gets a letter.
    static let mostTimes = 3

    var isLive: Bool { state == .asked || state == .taken || state == .brought }
    var anchor: String { "claim-\(id)" }

    /// Where it stands, to its author.
    func words(_ kind: Need.Kind) -> Words {
        switch state {
        case .asked: "waits for your yes"
        case .taken: Words("promised")
        case .brought: kind.saysDone
        case .done: Words("done")
        case .ended: Words("over")
        }
    }

    /// Why nothing was taken.
    enum Refused: Error, Equatable {
        /// More than are still needed.
        case tooMany(left: Int)
        case closed, own, twice, fickle
        /// To a home goes who is here for a while, with an address that was confirmed.
        case unconfirmed, newcomer

        var words: Words {
            switch self {
            case .closed: "It isn’t needed anymore. Thank you for having looked."
            case .tooMany(let left): Words("{count} is still needed.", plural: "{count} are still needed.", count: left)
            case .own: "It is yours."
            case .twice: "You have promised something here already."
            case .fickle: "You promised it before, and it didn’t happen. Let somebody else take it."
            case .unconfirmed: "It is for a home: confirm your e-mail address first, so that they know who comes."
            case .newcomer: "It is for a home: in your first week here, take something else."
            }
        }
    }
}

/// Something that somebody has promised, as their Today shows it.
struct ClaimLine: Sendable {
    let claim: ID<Claim>
    let need: ID<Need>
    let kind: Need.Kind
    let title: String
    let state: Claim.State
    /// The day on which it runs out by itself.
    let until: Day
    /// Where its two can talk, and how much of that its reader hasn't read; nil while they can't.
    let talk: ID<TalkThread>?
    let unread: Int
    var link: Link { .need(need) }
    var thread: Link? { talk.map(Link.thread) }

    /// What it waits for, or until when it stands.
    var when: Words {
        switch state {
        case .asked: "Waits for a yes"
        case .brought: "Done, you say. Once they say so too, it counts."
        default: "Promised until \(until.shortName, as: "day")"
        }
    }
}
