import Forms
import Templating

/// Places offered to a waiting party until a deadline; close to the event, places that anyone can take.
struct Offer: Sendable {
    /// The number of places; fewer than the party needs if it accepts that.
    let places: Int
    let endsAt: Instant
    /// Whether they are reserved for it; otherwise the first to accept gets them.
    var isPromised = true

    /// The default time for an answer, if there is enough time.
    static let usual = NoticeKind.offered.shelfLife
    /// The additional time before registration closes that is required to keep places for a party that needs several at
    /// once.
    static let patience = Duration.hours(24)

    /// Closer to the end of registration there are no offers: nobody would have time to answer, and the place would
    /// stay empty.
    static let shortest = Duration.minutes(30)

    /// Whether that applies: free places are open to anyone from then on, until registration closes.
    static func isTooLate(for event: Event, at now: Instant) -> Bool { !event.isOpen(at: now + shortest) }

    /// The deadline of an offer: after a day, or halfway to the end of registration, but at least half an hour if there
    /// is so much time.
    static func end(from now: Instant, closing: Instant, usual: Duration = usual) -> Instant {
        let left = max(closing - now, .zero)
        return now + min(usual, max(left / 2, min(left, shortest)))
    }

    /// `Thursday, March 25, 8:30 PM`, by the reader's clock.
    func until(at place: Zone, for reader: Zone) -> Words { reader.words(endsAt, besides: place) }
}

/// An event's free places, as those who wait get them: each party as a whole, in order of arrival.
struct FreePlaces: Sendable {
    /// The event's number of places; nil if there is no limit.
    let spots: Int?
    /// Those that are free for everyone.
    let room: Int
    /// Those that are free for families that need help with the fee, too.
    let held: Int
    /// Whether there is time to keep some until there are enough for a party.
    let canBeKept: Bool

    /// A waiting party.
    struct Party: Sendable {
        let size: Int
        let takesFewer: Bool
        /// The number of places that are kept for it.
        let kept: Int
        let wasPassedOver: Bool
        let needsHelp: Bool
    }

    /// What a party can do with free places.
    enum Use: Sendable, Equatable {
        case offered(Int)
        /// They are kept until there are enough.
        case kept(Int)
        /// Others get them.
        case tooFew
        /// It isn't passed over if others get them: nobody is left of it, or it is larger than the event.
        case useless
    }

    /// A party that needs more than there are was passed over before, or is now: then places are kept for it the next
    /// time. For more than a quarter of the event nothing is kept: everyone else would wait for one family.
    func use(by party: Party) -> Use {
        let places = room + party.kept + (party.needsHelp ? held : 0)
        let isPossible = party.takesFewer || spots.map { party.size <= $0 } ?? true
        guard party.size > 0, places > 0, isPossible else { return .useless }
        if party.takesFewer || party.size <= places { return .offered(min(party.size, places)) }
        guard room > 0 else { return .useless }
        let isModest = spots.map { party.size * 4 <= $0 || party.size <= 3 } ?? true
        return canBeKept && party.wasPassedOver && isModest ? .kept(room) : .tooFew
    }
}

/// A party on the waiting list, as the event's host sees it.
struct WaitingParty: Sendable {
    let registration: ID<Registration>
    /// The account that registered.
    let parent: String
    let children: Int
    let takesFewer: Bool
    /// Since when it waits.
    let since: Instant
    /// The deadline of an offer to it.
    let offerEndsAt: Instant?
    /// The sort key of the list.
    let turn: ID<Registration>
    /// Whether others got places that were too few for it, and how many are kept for it since.
    let wasPassedOver: Bool
    let kept: Int
    /// Whether it needs help with the fee; only for the host.
    let needsHelp: Bool
    /// What was answered for each of its children, and for the family; empty where the event asks nothing.
    var answers: [WaitingAnswers] = []
    var ofFamily: [AnswerLine] = []

    /// Why it waits although there were places; nil if there weren't.
    var why: Words? {
        guard offerEndsAt == nil, wasPassedOver || kept > 0, children > 1, !takesFewer else { return nil }
        return "\(children, as: "count") places at once are needed; kept so far: \(kept, as: "kept")"
    }

    var size: Words { Words("{count} child", plural: "{count} children", count: children) }
}

/// What was answered for one who waits, as the host reads it. Nobody is named before they have a place.
struct WaitingAnswers: Sendable {
    /// Which of several children it is about.
    let label: Words?
    let photo: PhotoMark?
    let lines: [AnswerLine]

    /// - Parameters:
    ///   - number: Which of several it is, the first is 1; nil for the only one.
    ///   - replies: What was answered for this one.
    ///   - asked: What was asked.
    init(_ asks: [Ask], _ replies: [Reply], of asked: Asked, number: Int? = nil) {
        label = number.map { "Child \($0, as: "number")" }
        photo = PhotoMark(asks, replies, of: asked)
        lines = AnswerLine.all(asks, replies, isEach: true, of: asked)
    }

    var isEmpty: Bool { photo == nil && lines.isEmpty }
}

/// Those who wait for an event.
struct WaitingList: Sendable {
    /// Parties per page.
    static let pageSize = 100

    let event: Event
    /// First those with an offer, on the first page; then in order.
    let parties: [WaitingParty]
    /// If families choose sessions, those with a waiting list.
    let sessions: [Session]
    /// The number of unused places held for families that need help with the fee.
    let held: Int
    let more: Link?

    /// A session, and the waiting children, in order.
    struct Session: Sendable {
        let name: String
        var turns: [Turn] = []

        /// A child that waits for a place.
        struct Turn: Sendable {
            /// The account that registered.
            let parent: String
            let since: Instant
            var answers: [WaitingAnswers] = []
            var ofFamily: [AnswerLine] = []
        }
    }

    var isEmpty: Bool { parties.isEmpty && sessions.isEmpty }

    /// The event's number of places after this party is invited, if that is more than now.
    func spots(inviting party: WaitingParty) -> Int? {
        guard let spots = event.spots, let left = event.placesLeft else { return nil }
        let missing = party.children - left - party.kept - (party.needsHelp ? held : 0)
        return missing > 0 ? spots + missing : nil
    }

    static func link(_ event: ID<Event>) -> Link { Link.event(event) / "waiting" }
}
