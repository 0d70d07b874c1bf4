import Forms
import Templating

/// What is told about needs.
struct NeedNews: TitledNews {
    let what: What
    let about: ID<Need>
    let title: String

    enum What: String, Sendable, CaseIterable {
        // To whoever promised something.
        case accepted, declined, lapsed, closed, thanked
        // To whoever asked for it.
        case asked, taken, dropped, brought, stale, verified
    }

    init(_ what: What, _ about: ID<Need>, _ title: String) {
        self.what = what
        self.about = about
        self.title = title
    }

    var kind: NoticeKind { .needs }
    var link: Link { .need(about) }

    var words: Words {
        switch what {
        case .accepted: "They said yes: \(title, as: "title")"
        case .declined: "They can do without you this time: \(title, as: "title")"
        case .lapsed: "Your promise ran out, and others can take it: \(title, as: "title")"
        case .closed: "It isn’t needed any more: \(title, as: "title")"
        case .thanked: "They say thank you: \(title, as: "title")"
        case .asked: "Somebody would help: \(title, as: "title")"
        case .taken: "Somebody promised it: \(title, as: "title")"
        case .dropped: "A promise was taken back: \(title, as: "title")"
        case .brought: "Did it come about? \(title, as: "title")"
        case .stale: "Is it still needed? \(title, as: "title")"
        case .verified: "Verified, and marked so: \(title, as: "title")"
        }
    }

    var more: Words {
        switch what {
        case .stale: "It is closed in a week, unless you say so."
        case .asked: "Say yes or no: only then they see where it is."
        case .brought: "Somebody says so. Say it too, and it counts."
        case .verified: "The mark counts for half a year, and then somebody looks again."
        default: Words(verbatim: "")
        }
    }
}

extension LetterText {
    static func need(_ news: NeedNews) -> LetterText {
        LetterText(
            subject: news.words, heading: news.words,
            lines: [.stale, .asked, .brought, .verified].contains(news.what) ? [news.more] : [],
            action: Action(name: "See it", link: news.link))
    }
}
