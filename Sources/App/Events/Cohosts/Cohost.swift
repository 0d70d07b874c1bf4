import Forms
import Templating

/// A member who hosts an event together with the neighbor who announced it: they see who comes, write to all, answer
/// questions and change it. All else, such as calling it off or naming others, stays the host's.
struct Cohost: Sendable {
    let id: ID<Cohost>
    /// Their name; nil while they are asked, and of somebody who isn't there.
    let author: Author?
    /// As whom the host asked them; empty once they host it.
    let typed: String
    let since: Instant
    /// Whether they are suspended, and look after nothing meanwhile.
    var isResting = false

    /// The most of one event, with those who are asked.
    static let most = 3
    /// How long somebody can say yes.
    static let invitation = Duration.days(14)

    enum State: String, Sendable {
        case asked, taken, declined
    }

    /// What is in the way of asking somebody.
    enum Obstacle: Error {
        /// There are as many as there may be.
        case full
        /// It is over or called off, or nobody sees it.
        case over

        var words: Words {
            switch self {
            case .full: "\(Cohost.most, as: "count") people are enough. Take an invitation back first."
            case .over: "This event is over, canceled or hidden."
            }
        }
    }

    /// The one that is meant by what somebody typed: an e-mail address, a user name, or the link of a page.
    static func key(of typed: String) -> String {
        let name = typed.lowercased()
        guard !name.contains("@") || name.first == "@" else { return name }
        let last = name.split(separator: "/").last.map(String.init) ?? name
        return String(last.split { $0 == "?" || $0 == "#" }.first ?? "").filter { $0 != "@" }
    }
}

extension Event {
    /// Whether somebody can be asked to host it together.
    func takesCohosts(at now: Instant) -> Bool { !isCancelled && !isHidden && endsAt > now }
}

/// Asking somebody to host an event together.
struct CohostForm: Form {
    var who = ""

    static let fields: [Field<CohostForm>] = [
        .text("who", \.who, "Who", 2...254).autocomplete("off")
            .hint("Their e-mail address, their user name, or the link of their page here.")
            .missing("Say who is to host it with you.")
    ]
}

/// `/events/{id}/cohosts`: who hosts an event together.
struct CohostsPage: Sendable {
    let event: Event
    let role: Role
    /// Those who host it; for its host those who are asked, too.
    let people: [Cohost]
    /// The page of its host, where the reader meets them.
    let hostPage: Link?
    /// What each of them did; for the host.
    var acts: [TeamAct] = []
    let zone: Zone
    let isOpen: Bool

    /// What the reader is there.
    enum Role: Sendable {
        case host, cohost
        /// Somebody who can say yes or no.
        case asked
    }

    var link: Link { .cohosts(of: event.id) }
    var canAsk: Bool { role == .host && isOpen && people.count < Cohost.most }

    func day(_ instant: Instant) -> Words { zone.day(of: instant).fullName }
    func until(_ cohost: Cohost) -> Words { zone.day(of: cohost.since + Cohost.invitation).fullName }
}

/// What one is told about hosting an event together.
struct CohostNews: TitledNews {
    let what: What
    let about: ID<Event>
    let title: String

    enum What: String, Sendable, CaseIterable {
        // To who is asked, or hosts it with somebody.
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
        case .asked: "Say yes or no; who asks you is told only of a yes."
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

    var letter: LetterText {
        LetterText(
            subject: words, heading: words, lines: [more],
            action: LetterText.Action(name: "Have a look", link: link))
    }
}
