import Forms
import Templating

/// A member who hosts an event together with the neighbor who posted it: they see who comes, write to everyone, answer
/// questions and edit it. Anything else, such as canceling it or adding co-hosts, is up to the host.
struct Cohost: Sendable {
    let id: ID<Cohost>
    /// The member; nil while invited, or if they don't exist.
    let author: Author?
    /// The name or address typed by the host; empty once accepted.
    let typed: String
    let since: Instant
    /// Whether they are suspended and therefore inactive.
    var isResting = false

    /// The most per event, including invitations.
    static let most = 3
    /// How long an invitation is valid.
    static let invitation = Duration.days(14)

    enum State: String, Sendable {
        case asked, taken, declined
    }

    /// The obstacles to an invitation.
    enum Obstacle: Error {
        /// The limit is reached.
        case full
        /// The event is over, canceled or hidden.
        case over

        var words: Words {
            switch self {
            case .full: "\(Cohost.most, as: "count") people are enough. Take an invitation back first."
            case .over: "This event is over, canceled or hidden."
            }
        }
    }

    /// The member's key in the typed text: an e-mail address, a user name, or the link to a page.
    static func key(of typed: String) -> String {
        let name = typed.lowercased()
        guard !name.contains("@") || name.first == "@" else { return name }
        let last = name.split(separator: "/").last.map(String.init) ?? name
        return String(last.split { $0 == "?" || $0 == "#" }.first ?? "").filter { $0 != "@" }
    }
}

extension Event {
    /// Whether co-hosts can be invited.
    func takesCohosts(at now: Instant) -> Bool { !isCancelled && !isHidden && endsAt > now }
}

/// The form for an invitation.
struct CohostForm: Form {
    var who = ""

    static let fields: [Field<CohostForm>] = [
        .text("who", \.who, "Who", 2...254).autocomplete("off")
            .hint("Their e-mail address, their user name, or the link of their page here.")
            .missing("Say who is to host it with you.")
    ]
}

/// `/events/{id}/cohosts`: an event's co-hosts.
struct CohostsPage: Sendable {
    let event: Event
    let role: Role
    /// The co-hosts; for the host also the invitations.
    let people: [Cohost]
    /// The host's page, if the reader may see it.
    let hostPage: Link?
    /// The co-hosts' actions, for the host.
    var acts: [TeamAct] = []
    let zone: Zone
    let isOpen: Bool

    /// The reader's role.
    enum Role: Sendable {
        case host, cohost
        /// An invited member.
        case asked
    }

    var link: Link { .cohosts(of: event.id) }
    var canAsk: Bool { role == .host && isOpen && people.count < Cohost.most }

    func day(_ instant: Instant) -> Words { zone.day(of: instant).fullName }
    func until(_ cohost: Cohost) -> Words { zone.day(of: cohost.since + Cohost.invitation).fullName }
}

/// News about co-hosting an event.
struct CohostNews: TitledNews {
    let what: What
    let about: ID<Event>
    let title: String

    enum What: String, Sendable, CaseIterable {
        // To an invited member or a co-host.
        case asked, removed, canceled
        // To the host.
        case joined, left
    }

    init(_ what: What, _ about: ID<Event>, _ title: String) {
        self.what = what
        self.about = about
        self.title = title
    }

    var kind: NoticeKind { .cohosting }
    var icon: Icon { .people }
    var answers: LetterText.Answers { .members }

    var words: Words {
        switch what {
        case .asked: "You are asked to host an event together: \(title, as: "title")"
        case .removed: "You no longer host \(title, as: "title") together"
        case .canceled: "Canceled: \(title, as: "title")"
        case .joined: "Somebody hosts \(title, as: "title") with you now"
        case .left: "Somebody no longer hosts \(title, as: "title") with you"
        }
    }

    var more: Words {
        switch what {
        case .asked: "Say yes or no; the person who asks you is told only of a yes."
        case .removed: "Thank you for what you did."
        case .canceled: "It doesn’t take place. Its page says why."
        case .joined: "They see who comes, and can write to all, answer questions and change it."
        case .left: "Its page says who hosts it."
        }
    }

    var link: Link {
        switch what {
        case .asked, .joined, .left: .cohosts(of: about)
        case .removed, .canceled: .event(about)
        }
    }
}
