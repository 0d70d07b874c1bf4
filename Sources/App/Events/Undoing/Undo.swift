import Forms
import Templating

/// Something that was given back, removed or thrown away a moment ago, and can still be taken back.
struct Undo: Sendable {
    let id: ID<Undo>
    let kind: Kind
    /// The number of what it is about, by kind:
    /// - `places`, `offer`: the registration
    /// - `child`, `draft`, `post`, `match`, `challenge`: the thing itself
    /// - `event`, `visit`: the event
    /// - `comment`: the post it was said to
    /// - `signup`, `promise`, `wait`: the way to help
    /// - `claim`: the need
    /// - `companion`: the sign-up of the helper
    /// - `meeting`: the match
    let subject: Int64
    /// What it was, as its owner calls it, by kind:
    /// - `places`: the names of the children, a line each
    /// - `match`: the names of the two pets, a line each
    /// - `visit`: the title of the event, then the names of those who left it, a line each
    /// - `signup` and `claim` of somebody else: empty, since names are read when they are shown
    let label: String
    /// For a draft: what it would have posted.
    var draft = Draft.Kind.event
    /// Whether that draft was kept for its owner alone.
    var isOwnDraft = false
    /// How many places, or people who left, it is.
    var count = 1
    /// Whether others have the places by now.
    var isGone = false
    /// The date of places in a series, or the shift.
    var date: Words?
    /// At how many dates the places were.
    var dates = 1
    /// On how many dates a family that gave all dates back waited besides.
    var turns = 0
    /// The person who was told no; nil where it is their own promise.
    var who: String?
    /// Whether a helper gave back a place or a promise of their own, or a family left a waiting list.
    var isOwn = false

    /// For so long it can be taken back; then what was kept for it is erased.
    static let time = Duration.minutes(10)

    enum Kind: String, Sendable {
        case places, offer, child, draft, event
        /// A member's leaving of a community event, with what they had joined there.
        case visit
        case post, comment
        case match
        /// An organization said no to somebody who would like to help, or that something didn’t come; or a helper gave
        /// a place back, or took a promise back.
        case signup, promise
        /// A promise to a neighbor ended, by either of the two.
        case claim
        /// A helper no longer waits for a shift, or a child who would come along stays home.
        case wait, companion
        case meeting
        /// A link by which a friend was asked to do something.
        case challenge
    }

    /// What was done, as the page after it says.
    var words: Words {
        guard turns > 0 else { return deed }
        let turns = Words(
            "You no longer wait on {count} date.", plural: "You no longer wait on {count} dates.", count: turns)
        return dates == 0 ? turns : "\(deed, as: "first") \(turns, as: "second")"
    }

    /// How many things others may have by now, as far as a sentence goes: one, or several.
    var several: Int { dates > 1 ? dates : max(1, count) }

    private var deed: Words {
        switch kind {
        case .places where dates > 1:
            Words(
                "The places of \(names, as: "names") were given back, on {count} date.",
                plural: "The places of \(names, as: "names") were given back, on {count} dates.", count: dates)
        case .places where date != nil:
            Words(
                "The place of \(names, as: "names") was given back: \(date ?? "", as: "event").",
                plural: "The places of \(names, as: "names") were given back: \(date ?? "", as: "event").",
                count: count)
        case .places, .companion:
            Words(
                "The place of \(names, as: "names") was given back.",
                plural: "The places of \(names, as: "names") were given back.", count: count)
        case .offer where isOwn: "You no longer wait for a place at “\(label, as: "title")”."
        case .wait: "You no longer wait for a place: \(label, as: "title")."
        case .meeting: "The meeting is off."
        case .challenge: "You took the link back."
        case .offer: "You said no to the place at “\(label, as: "title")”."
        case .child: "\(label, as: "name") was removed, and the places given back."
        case .draft: "The draft “\(label, as: "title")” was thrown away."
        case .event: "“\(label, as: "title")” was deleted."
        case .post: "Your post “\(label, as: "beginning")” was deleted."
        case .comment: "The comment “\(label, as: "beginning")” was deleted."
        case .match: "The match of \(pets, as: "names") has ended."
        case .signup where isOwn:
            date.map { "You gave your place back: \(label, as: "title"), \($0, as: "day")." }
                ?? "You gave your place back: \(label, as: "title")."
        case .signup: who.map { "You said no to \($0, as: "name")." } ?? "You said no."
        case .promise where isOwn: "You took your promise back: \(label, as: "thing")."
        case .promise: "It didn’t come, and others can promise it: \(label, as: "thing")."
        case .claim where isOwn: "You took your promise back."
        case .claim: who.map { "\($0, as: "name")’s promise no longer stands." } ?? "The promise no longer stands."
        case .visit: "No longer going to “\(title, as: "title")”: \(names, as: "names")."
        }
    }

    /// What it was, in words.
    var name: Words {
        switch kind {
        case .places, .visit, .companion: names
        case .match: pets
        case .challenge: "Link"
        case .signup where !isOwn: Words(verbatim: who ?? "")
        case .signup: date.map { "\(label, as: "title"), \($0, as: "day")" } ?? Words(verbatim: label)
        case .claim: who.map { Words(verbatim: $0) } ?? "Promise"
        default: Words(verbatim: label)
        }
    }

    private var pets: Words { lines.map { Words(verbatim: $0) }.listed() }

    var lines: [String] { label.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) }

    /// Which event somebody left.
    private var title: String { lines.first ?? "" }

    /// Those whose places it was: empty is a child that was removed, and of a member who left an event the parent in
    /// person.
    private var names: Words {
        kind == .visit
            ? lines.dropFirst().map { Registration.Person.label($0) }.listed()
            : lines.map { Registration.Person.label($0.nonEmpty) }.listed()
    }

    /// The page that shows it again.
    var link: Link {
        switch kind {
        case .places, .offer: .registration(ID(subject))
        case .child: Link.children
        case .draft: draft.list
        case .event, .visit: .event(ID(subject))
        case .post: Link.post(ID<Post>(subject))
        case .comment: .comments(of: ID(subject))
        case .match: .match(ID(subject))
        case .meeting: Link.match(ID<PetMatch>(subject)).fragment("meetings")
        case .challenge: Link.myActs
        case .companion: .signup(ID(subject))
        case .signup where isOwn, .promise where isOwn, .wait: Link.opportunity(ID(subject)).fragment("mine")
        case .signup, .promise: .opportunity(ID(subject)) / "signups"
        case .claim: .need(ID(subject))
        }
    }

    /// Whether a read-only member may not undo it.
    var publishes: Bool {
        switch kind {
        case .event, .post, .comment, .match, .meeting, .challenge, .wait, .companion: true
        case .signup, .promise, .claim: isOwn
        case .places, .offer, .child, .draft, .visit: false
        }
    }

    /// How much of it is back.
    enum Outcome: Sendable {
        case whole
        /// Some of a child's places went to others.
        case withoutPlaces
        /// Some of what somebody had joined at an event is full or called off by now.
        case withoutActivities
        /// Some of several dates have begun by now, or were called off.
        case withoutBegun
        /// The picture is gone.
        case withoutPicture
        /// What the family had answered about a child is gone for good.
        case withoutReplies
        /// What others said to a post is gone for good.
        case withoutAnswers
    }

    /// What was taken back.
    struct Taken: Sendable {
        let undo: Undo
        /// How much of it is back.
        let outcome: Outcome
        /// The account that it belongs to.
        let owner: ID<Account>
        /// Whether this press brought it back, and none before.
        let isNew: Bool
    }

    /// Why it can't be taken back.
    struct Refused: Error {
        let words: Words
        /// The page of what it is about.
        var link: Link?

        static let full = Refused(words: "Someone else has the place now, or registration is closed.")
        static let over = Refused(words: "It has started, was closed or was called off.")
        static let promised = Refused(words: "Others have promised it, or it’s no longer needed.")
        /// The children of the party aren't those whose places they were.
        static let changed = Refused(words: "The child is registered again already, or was removed.")
    }
}
