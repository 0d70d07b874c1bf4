import Forms
import Templating

/// Something needed in the neighborhood: three blankets, a ladder for an afternoon, a ride.
struct Need: Sendable {
    let id: ID<Need>
    let author: Author
    var kind: Kind
    var title: String
    var description: String
    /// The amount needed.
    var wanted: Int
    /// The amounts promised but not brought, and brought.
    var promised = 0
    var brought = 0
    /// The part of the promised amount that waits for the author's approval.
    var waiting = 0
    /// After how many days a promise expires.
    var days: Int
    /// The last useful day.
    var until: Day
    var endsAt: Instant
    var place: Place
    var isClosed = false
    var isHidden = false
    /// Whether its author was asked if it is still needed, and hasn't answered.
    var isAsked = false
    /// In its author's list: whether somebody waits for their answer.
    var isAwaited = false
    var createdAt = Instant(milliseconds: 0)
    var picture: Picture?
    /// Whether it is a place that accepts donations all year.
    var isLasting = false
    /// When staff last verified it; nil if that has expired.
    var verifiedAt: Instant?
    var verifiedUntil: Instant?
    /// The distance from where the reader looks.
    var distance: Distance?

    /// The place.
    struct Place: Sendable, Equatable {
        /// Whether it is a home: only accepted helpers know the street, and only while it is current.
        var isHome: Bool
        var name = ""
        var address: Address
        /// The public position: the place itself, or for a home a corner of the grid.
        var coordinate: Coordinate?

        /// The public description.
        var open: Words {
            isHome
                ? "A home in \(address.city, as: "city")"
                : whole
        }

        /// The full address, for those who may know it.
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

        // The words for a promise: things are brought, time and skills are given, places are visited.

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
        /// The texts to confirm that it was done, and the author's text that it wasn't.
        var done: Words { words("It is there", "It is done", "I was there") }
        var thanks: Words { words("It is there, thank you", "It is done, thank you", "They came, thank you") }
        var missed: Words { words("It didn’t come", "It wasn’t done", "They didn’t come") }
        var met: Words {
            words("It is all there. Thank you!", "It is all done. Thank you!", "All of them came. Thank you!")
        }
        var saysDone: Words { words("says it is there", "says it is done", "says they were there") }
    }

    /// Needs per page.
    static let pageSize = 20
    /// How long something may be needed, and how many needs an account may have open.
    static let mostDays = 90
    static let mostOpen = 10
    /// How often to ask the author whether it is still needed, and how long to wait for the answer.
    static let asking = Duration.days(14)
    static let patience = Duration.days(7)
    /// How often a permanent donation place must be verified, and its author asked.
    static let review = Duration.days(182)
    /// The last day of a need without one.
    static let forever = Day(year: 9999, month: 12, day: 31) ?? Day(number: 0)
    /// The minimum age of an account for visiting a home.
    static let acquaintance = Duration.days(7)

    var left: Int { max(0, wanted - promised - brought) }
    var isFull: Bool { left == 0 }
    var isMet: Bool { brought >= wanted }

    func isVerified(at now: Instant) -> Bool { verifiedUntil.map { $0 > now } ?? false }

    func isOpen(at now: Instant) -> Bool { !isClosed && !isHidden && endsAt > now }

    var link: Link { .need(id) }
    var subject: Subject { .need(id) }

    /// The amount firmly promised or brought.
    var sure: Int { promised - waiting + brought }

    /// The progress; an amount waiting for approval is reserved but not promised.
    var progress: Words {
        if isMet { return "\(brought, as: "count") of \(wanted, as: "wanted") done" }
        return waiting == 0
            ? "\(sure, as: "count") of \(wanted, as: "wanted") promised"
            : "\(sure, as: "count") of \(wanted, as: "wanted") promised, \(waiting, as: "waiting") waiting for a yes"
    }

    /// Its pin on a map.
    var pin: MapDrawing.Place? {
        place.coordinate.map { MapDrawing.Place(coordinate: $0, name: Words(verbatim: title), link: link) }
    }
}

extension Coordinate {
    /// The corner of a fixed grid of a hundredth of a degree, about a kilometer: the public position of a home.
    var gridded: Coordinate {
        Coordinate(
            latitude: (latitude * 100).rounded() / 100,
            longitude: min(180, max(-180, (longitude * 100).rounded() / 100)))
            ?? self
    }
}
