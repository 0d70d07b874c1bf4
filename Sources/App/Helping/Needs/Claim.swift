import Forms
import Templating

/// A member's promise to meet a need.
struct Claim: Sendable {
    let id: ID<Claim>
    let need: ID<Need>
    let helper: Author
    let count: Int
    let message: String
    let state: State
    let endsAt: Instant

    enum State: String, Sendable {
        /// It is for a home and waits for approval.
        case asked
        case taken
        /// The helper says that it was brought; the author hasn't confirmed it yet.
        case brought
        case done
        /// It was withdrawn, declined or expired, or the need is over.
        case ended
    }

    /// The most promises of one member for a need, because each causes a letter.
    static let mostTimes = 3

    var isLive: Bool { state == .asked || state == .taken || state == .brought }
    var anchor: String { "claim-\(id)" }

    /// Its state, for the author.
    func words(_ kind: Need.Kind) -> Words {
        switch state {
        case .asked: "waits for your yes"
        case .taken: Words("promised")
        case .brought: kind.saysDone
        case .done: Words("done")
        case .ended: Words("over")
        }
    }

    /// The reasons why a promise is refused.
    enum Refused: Error, Equatable {
        /// It is more than still needed.
        case tooMany(left: Int)
        case closed, own, twice, fickle
        /// Visiting a home requires a confirmed address and some time on the site.
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

/// A promise, for the helper's page Today.
struct ClaimLine: Sendable {
    let claim: ID<Claim>
    let need: ID<Need>
    let kind: Need.Kind
    let title: String
    let state: Claim.State
    /// When it expires.
    let until: Day
    /// Where its two can talk, and how much of that its reader hasn't read; nil while they can't.
    let talk: ID<TalkThread>?
    let unread: Int
    var link: Link { .need(need) }
    var thread: Link? { talk.map(Link.thread) }

    /// What it waits for, or until when it is valid.
    var when: Words {
        switch state {
        case .asked: "Waits for a yes"
        case .brought: "Done, you say. Once they say so too, it counts."
        default: "Promised until \(until.shortName, as: "day")"
        }
    }
}
