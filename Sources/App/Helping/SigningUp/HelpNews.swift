import Forms
import Templating

/// What is told about helping, to a helper or to an organization.
struct HelpNews: TitledNews {
    let what: What
    let about: ID<Opportunity>
    let title: String
    /// A shift or a place as it was, and as it is.
    var before: Fact?
    var now: Fact?

    enum What: String, Sendable, CaseIterable {
        // To a helper.
        case accepted, declined, moved, relocated, calledOff, confirmed, lapsed, thanked, won, kept
        /// Of a young person who comes along: a parent said yes, has to say it again, or nobody did in time.
        case agreed, asksAgain, unagreed
        /// Somebody waits no more: children can't come any more, or one of them is there already.
        case closedToChildren, thereAlready
        case dayBefore, hoursBefore
        // To an organization.
        case asked, joined, brought, left, promised, dropped, stale, reviewed
    }

    /// When or where, or why: kept as it is stored, and written when it is read.
    enum Fact: Sendable, Equatable {
        case time(Day, TimeOfDay, TimeOfDay)
        case text(String)

        var words: Words {
            switch self {
            case .time(let day, let start, let end):
                "\(day.name, as: "day"), \(EventTimes.words(from: start, to: end), as: "time")"
            case .text(let text): Words(verbatim: text)
            }
        }

        fileprivate var name: Words { if case .time = self { "When" } else { "Where" } }

        fileprivate var kept: String {
            switch self {
            case .time(let day, let start, let end): "@\(day.iso) \(start.minutes) \(end.minutes)"
            case .text(let text): "=" + text.filter { $0 != "\u{1E}" }
            }
        }

        fileprivate init?(kept: String) {
            if kept.hasPrefix("=") {
                self = .text(String(kept.dropFirst()))
                return
            }
            let parts = kept.dropFirst().split(separator: " ")
            guard kept.hasPrefix("@"), parts.count == 3, let day = Day(iso: String(parts[0])),
                let start = Int(parts[1]).flatMap({ TimeOfDay(minutes: $0) }),
                let end = Int(parts[2]).flatMap({ TimeOfDay(minutes: $0) })
            else { return nil }
            self = .time(day, start, end)
        }
    }

    init(_ what: What, _ about: ID<Opportunity>, _ title: String) {
        self.init(what, about, title, now: nil)
    }

    init(_ what: What, _ about: ID<Opportunity>, _ title: String, before: Fact? = nil, now: Fact?) {
        self.what = what
        self.about = about
        self.title = title
        self.before = before
        self.now = now
    }

    /// As a notice keeps it; without facts it is the title alone.
    init?(detail: String, subject: Int64?) {
        let parts = detail.split(separator: "\u{1E}", omittingEmptySubsequences: false).map(String.init)
        let head = parts[0].split(separator: "\u{1F}", maxSplits: 1).map(String.init)
        guard parts.count == 1 || parts.count == 3, head.count == 2, let what = What(rawValue: head[0]), let subject
        else { return nil }
        self.init(
            what, ID(subject), head[1], before: parts.count == 3 ? Fact(kept: parts[1]) : nil,
            now: parts.count == 3 ? Fact(kept: parts[2]) : nil)
    }

    var detail: String {
        let head = "\(what.rawValue)\u{1F}\(title.filter { $0 != "\u{1E}" })"
        return before == nil && now == nil ? head : "\(head)\u{1E}\(before?.kept ?? "")\u{1E}\(now?.kept ?? "")"
    }

    var kind: NoticeKind {
        switch what {
        case .accepted, .declined, .moved, .relocated, .calledOff, .confirmed, .lapsed, .thanked, .won, .kept, .agreed,
            .asksAgain, .unagreed, .closedToChildren, .thereAlready:
            .helping
        case .dayBefore: .dayBefore
        case .hoursBefore: .hoursBefore
        case .asked, .joined, .brought, .left, .promised, .dropped, .stale, .reviewed: .helpers
        }
    }

    var words: Words {
        switch what {
        case .accepted: "They said yes: \(title, as: "title")"
        case .declined: "They can’t take you this time: \(title, as: "title")"
        case .moved: "Your shift has moved: \(title, as: "title")"
        case .relocated: "It is at another place: \(title, as: "title")"
        case .calledOff: "Called off: \(title, as: "title")"
        case .confirmed: "Your hours are confirmed: \(title, as: "title")"
        case .lapsed: "Your promise ran out, and others can take it: \(title, as: "title")"
        case .thanked: "What you brought was received, thank you: \(title, as: "title")"
        case .won: "A place became free, and it is yours: \(title, as: "title")"
        case .kept: "A place became free, and is kept for you until they say yes or no: \(title, as: "title")"
        case .agreed: "A parent agreed: \(title, as: "title")"
        case .asksAgain: "A parent has to agree once more, by the same link: \(title, as: "title")"
        case .unagreed: "No parent said yes in time, and the place is free again: \(title, as: "title")"
        case .closedToChildren, .thereAlready: "You no longer wait for a place: \(title, as: "title")"
        case .dayBefore, .hoursBefore: "Coming up: \(title, as: "title")"
        case .asked: "Somebody would like to help: \(title, as: "title")"
        case .joined: "Somebody signed up: \(title, as: "title")"
        case .brought: "Somebody brings a child along: \(title, as: "title")"
        case .left: "Somebody gave a place back: \(title, as: "title")"
        case .promised: "Somebody promised something: \(title, as: "title")"
        case .dropped: "Somebody took a promise back: \(title, as: "title")"
        case .stale: "Does this still hold? \(title, as: "title")"
        case .reviewed: "A review of \(title, as: "title")"
        }
    }

    var more: Words {
        switch what {
        case .stale: return "It leaves the lists in a week, unless you say so."
        case .asked: return "Say yes or no."
        case .declined: return "Look for another way to help."
        case .closedToChildren: return "Children can’t come along there any more. You can sign up without them."
        case .thereAlready: return "One of the children is in that shift already, with the other parent."
        default:
            guard let before, let now else { return (now ?? before)?.words ?? Words(verbatim: "") }
            return "Now \(now.words, as: "now"); before \(before.words, as: "before")"
        }
    }

    var link: Link {
        switch what {
        case .confirmed, .thanked: .impact
        case .asked, .joined, .brought, .left, .promised, .dropped: .opportunity(about) / "signups"
        case .declined: .opportunities
        case .won, .kept, .dayBefore, .hoursBefore, .moved, .agreed, .asksAgain, .unagreed:
            Link.opportunity(about).fragment("mine")
        default: .opportunity(about)
        }
    }

    /// Whether a sentence of its own says more.
    fileprivate var isExplained: Bool {
        switch what {
        case .stale, .closedToChildren, .thereAlready: true
        default: false
        }
    }

    /// What tells it apart from others of its kind about the same.
    var group: String { what.rawValue + ((now ?? before)?.kept ?? "") }
}

extension LetterText {
    static func help(_ news: HelpNews) -> LetterText {
        let fact = news.now.map { Fact(name: $0.name, before: news.before?.words, words: $0.words) }
        let isReason = news.now == nil && news.before != nil || news.isExplained
        var closing: [Words] = []
        if news.kind == .dayBefore || news.kind == .hoursBefore || news.what == .won {
            closing = ["If you can’t come, give the place back there: somebody else will be glad."]
        }
        return LetterText(
            subject: news.words, heading: news.words, lines: isReason ? [news.more] : [],
            facts: fact.map { [$0] } ?? [], action: Action(name: "See it", link: news.link), closing: closing)
    }
}

extension Shift {
    /// Its time, as news tell it.
    var fact: HelpNews.Fact { .time(day, start, end) }
}
