import Forms
import Templating

/// A recent action that can still be undone: something was given back, removed or discarded.
struct Undo: Sendable {
    let id: ID<Undo>
    let kind: Kind
    /// The ID of the subject, by kind:
    /// - `places`, `offer`: the registration
    /// - `child`, `draft`, `post`, `match`, `challenge`: the thing itself
    /// - `event`, `visit`: the event
    /// - `comment`: its post
    /// - `signup`, `promise`, `wait`: the opportunity
    /// - `claim`: the need
    /// - `companion`: the sign-up of the helper
    /// - `meeting`: the match
    let subject: Int64
    /// A label for its owner, by kind:
    /// - `places`: the names of the children, a line each
    /// - `match`: the names of the two pets, a line each
    /// - `visit`: the title of the event or activity, then the names of the people who left it, a line each
    /// - `signup` and `claim` of somebody else: empty, because names are loaded when they are shown
    let label: String
    /// For a draft: the kind of form.
    var draft = Draft.Kind.event
    /// Whether that draft was its owner's own.
    var isOwnDraft = false
    /// The number of places, or of people who left.
    var count = 1
    /// Whether others have got the places.
    var isGone = false
    /// The date of places in a series, or of the shift.
    var date: Words?
    /// The number of dates with these places.
    var dates = 1
    /// The number of dates at which a family that gave all of them back was waiting.
    var turns = 0
    /// The person who was refused; nil for the member's own promise.
    var who: String?
    /// Whether a helper gave back their own place or promise, or a family left a waiting list.
    var isOwn = false
    /// Whether somebody left only the waiting lists of activities.
    var onlyWaited = false

    /// How long it can be undone; then the stored data is erased.
    static let time = Duration.minutes(10)

    enum Kind: String, Sendable {
        case places, offer, child, draft, event
        /// A member's leaving of a community event, with its activities, or of activities and their waiting lists.
        case visit
        case post, comment
        case match
        /// An organization declined a helper or reported a missing thing; or a helper gave a place back or withdrew a
        /// promise.
        case signup, promise
        /// A promise to a neighbor was ended, by either side.
        case claim
        /// A helper left a shift's waiting list, or a companion child's place was given back.
        case wait, companion
        case meeting
        /// A challenge to a friend was withdrawn.
        case challenge
    }

    /// The action, for the next page.
    var words: Words {
        guard turns > 0 else { return deed }
        let turns = Words(
            "You no longer wait on {count} date.", plural: "You no longer wait on {count} dates.", count: turns)
        return dates == 0 ? turns : "\(deed, as: "first") \(turns, as: "second")"
    }

    /// The number of things that others may have got, for the grammar: one, or several.
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
        case .visit where onlyWaited: "No longer waiting for “\(title, as: "title")”: \(names, as: "names")."
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

    /// The event that somebody left.
    private var title: String { lines.first ?? "" }

    /// The people who had the places: empty is a deleted child, or after leaving an event the parent in person.
    private var names: Words {
        kind == .visit
            ? lines.dropFirst().map { Family.label($0) }.listed()
            : lines.map { Family.label($0.nonEmpty) }.listed()
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

    /// Whether a member restricted to reading can't undo it.
    var publishes: Bool {
        switch kind {
        case .event, .post, .comment, .match, .meeting, .challenge, .wait, .companion: true
        case .signup, .promise, .claim: isOwn
        case .places, .offer, .child, .draft, .visit: false
        }
    }

    /// How much was restored.
    enum Outcome: Sendable {
        case whole
        /// Some of a child's places went to others.
        case withoutPlaces
        /// Some of the activities are full or canceled by now.
        case withoutActivities
        /// Some of several dates have begun or were canceled.
        case withoutBegun
        /// The picture is gone.
        case withoutPicture
        /// The family's answers about a child are erased.
        case withoutReplies
        /// The comments on a post are erased.
        case withoutAnswers
    }

    /// The result of undoing.
    struct Taken: Sendable {
        let undo: Undo
        /// How much was restored.
        let outcome: Outcome
        /// The account that owns it.
        let owner: ID<Account>
        /// Whether this press restored it, rather than an earlier one.
        let isNew: Bool
    }

    /// The reason why it can't be undone.
    struct Refused: Error {
        let words: Words
        /// The subject's page.
        var link: Link?

        static let full = Refused(words: "Someone else has the place now, or registration is closed.")
        static let over = Refused(words: "It has started, was closed or was called off.")
        static let promised = Refused(words: "Others have promised it, or it’s no longer needed.")
        /// The party's children have changed since.
        static let changed = Refused(words: "The child is registered again already, or was removed.")
    }
}
