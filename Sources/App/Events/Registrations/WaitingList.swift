import Forms
import Templating

/// Places that are promised to a party that waited, until a moment; near the event, those that anybody can take.
struct Offer: Sendable {
    /// How many; fewer than the party needs, where it takes as many as fit.
    let places: Int
    let endsAt: Instant
    /// Whether they are kept for it; else the first to take them has them.
    var isPromised = true

    /// How long a family has for its answer, where there is time enough and nobody set it up otherwise.
    static let usual = Duration.hours(24)
    /// So much longer before registering closes places are kept for a party that needs several at once.
    static let patience = Duration.hours(24)

    /// Nearer to when registering closes nothing is promised: nobody has time for an answer, and the place would stay
    /// empty.
    static let shortest = Duration.minutes(30)

    /// Whether that is so: what becomes free is anybody’s from then on, until the event is closed.
    static func isTooLate(for event: Event, at now: Instant) -> Bool { !event.isOpen(at: now + shortest) }

    /// When an offer ends: after a day, or halfway to when registering closes. Near that a family has half an hour, as
    /// long as there is one.
    static func end(from now: Instant, closing: Instant, usual: Duration = usual) -> Instant {
        let left = max(closing - now, .zero)
        return now + min(usual, max(left / 2, min(left, shortest)))
    }

    /// `Thursday, March 25, 8:30 PM`, by the clock of the place.
    func until(in zone: String) -> Words { Self.words(endsAt, in: zone) }

    static func words(_ instant: Instant, in zone: String) -> Words {
        Zone(stored: zone).words(instant, \.shortName)
    }
}

/// A party on the waiting list, as the event's host sees it.
struct WaitingParty: Sendable {
    let registration: ID<Registration>
    /// The account that booked.
    let parent: String
    let children: Int
    let takesFewer: Bool
    /// Since when it waits.
    let since: Instant
    /// Until when places are promised to it.
    let offerEndsAt: Instant?
    /// By this it stands in line.
    let turn: ID<Registration>
    /// Whether others had what was too little for it, and how many places are kept for it since.
    let wasPassedOver: Bool
    let kept: Int
    /// Whether it needs help with the fee; for the host alone.
    let needsHelp: Bool
    /// What was answered for each of its children, and for the family; empty where the event asks nothing.
    var answers: [WaitingAnswers] = []
    var ofFamily: [AnswerLine] = []

    /// Why it waits although there were places; nil where that isn’t so.
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
    init(_ asks: [Ask], _ replies: [Reply], number: Int? = nil) {
        label = number.map { "Child \($0, as: "number")" }
        photo = PhotoMark(asks, replies)
        lines = AnswerLine.all(asks, replies, isEach: true)
    }

    var isEmpty: Bool { photo == nil && lines.isEmpty }
}

/// Those who wait for an event.
struct WaitingList: Sendable {
    /// Parties a page.
    static let pageSize = 100

    let event: Event
    /// First those who have to answer, on the first page; then in the order of their turn.
    let parties: [WaitingParty]
    /// Where families choose sessions: those that somebody waits for.
    let sessions: [Session]
    /// How many places are held and free for families that need help with the fee.
    let held: Int
    let more: Link?

    /// A session, and the children in line, the first first.
    struct Session: Sendable {
        let name: String
        var turns: [Turn] = []

        /// One child waits for a place.
        struct Turn: Sendable {
            /// The account that booked.
            let parent: String
            let since: Instant
            var answers: [WaitingAnswers] = []
            var ofFamily: [AnswerLine] = []
        }
    }

    var isEmpty: Bool { parties.isEmpty && sessions.isEmpty }

    /// How many places the event has once this party is invited too, where that is more than now.
    func spots(inviting party: WaitingParty) -> Int? {
        guard let spots = event.spots, let left = event.placesLeft else { return nil }
        let missing = party.children - left - party.kept - (party.needsHelp ? held : 0)
        return missing > 0 ? spots + missing : nil
    }

    static func link(_ event: ID<Event>) -> Link { Link.event(event) / "waiting" }
}
