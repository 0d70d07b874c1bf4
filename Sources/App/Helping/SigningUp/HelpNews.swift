import Forms
import Templating

/// What is told about helping, to a helper or to an organization.
struct HelpNews: TitledNews {
    let what: What
    let about: ID<Opportunity>
    let title: String

    enum What: String, Sendable {
        // To a helper.
        case accepted, declined, moved, calledOff, confirmed, lapsed, thanked
        // To an organization.
        case asked, joined, left, promised, dropped, stale, reviewed
    }

    init(_ what: What, _ about: ID<Opportunity>, _ title: String) {
        self.what = what
        self.about = about
        self.title = title
    }

    var kind: NoticeKind {
        switch what {
        case .accepted, .declined, .moved, .calledOff, .confirmed, .lapsed, .thanked: .helping
        case .asked, .joined, .left, .promised, .dropped, .stale, .reviewed: .helpers
        }
    }

    var words: Words {
        switch what {
        case .accepted: "They said yes: \(title, as: "title")"
        case .declined: "They can’t take you this time: \(title, as: "title")"
        case .moved: "Your shift has moved: \(title, as: "title")"
        case .calledOff: "Called off: \(title, as: "title")"
        case .confirmed: "Your hours are confirmed: \(title, as: "title")"
        case .lapsed: "Your promise ran out, and others can take it: \(title, as: "title")"
        case .thanked: "What you brought was received, thank you: \(title, as: "title")"
        case .asked: "Somebody would like to help: \(title, as: "title")"
        case .joined: "Somebody signed up: \(title, as: "title")"
        case .left: "Somebody gave a place back: \(title, as: "title")"
        case .promised: "Somebody promised something: \(title, as: "title")"
        case .dropped: "Somebody took a promise back: \(title, as: "title")"
        case .stale: "Does this still hold? \(title, as: "title")"
        case .reviewed: "A review of \(title, as: "title")"
        }
    }

    var more: Words {
        switch what {
        case .stale: "It leaves the lists in a week, unless you say so."
        case .asked: "Say yes or no."
        case .declined: "Look for another way to help."
        default: Words(verbatim: "")
        }
    }

    var link: Link {
        switch what {
        case .confirmed, .thanked: .impact
        case .asked, .joined, .left, .promised, .dropped: .opportunity(about) / "signups"
        case .declined: .opportunities
        default: .opportunity(about)
        }
    }
}

extension LetterText {
    static func help(_ news: HelpNews) -> LetterText {
        LetterText(
            subject: news.words, heading: news.words, lines: news.what == .stale ? [news.more] : [],
            action: Action(name: "See it", link: news.link))
    }
}
