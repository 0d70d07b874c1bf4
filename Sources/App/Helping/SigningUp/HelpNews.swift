import Forms
import Templating

/// News about helping, for a helper or an organization.
struct HelpNews: TitledNews {
    let what: What
    /// The opportunity; for a review, its own ID.
    let about: ID<Opportunity>
    let title: String
    /// A shift or place before and after.
    var before: Fact?
    var now: Fact?

    enum What: String, Sendable, CaseIterable {
        // To a helper.
        case accepted, declined, moved, relocated, calledOff, confirmed, lapsed, thanked, won, kept
        /// A confirmation was corrected.
        case corrected
        /// A promise expires tomorrow, or the thing didn’t arrive although they said so.
        case ending, missed
        /// About a young person: a parent agreed, must agree again, or didn't agree in time.
        case agreed, asksAgain, unagreed
        /// The wait is over: children can't come anymore, or one of them already comes.
        case closedToChildren, thereAlready
        /// Nobody answered them in time.
        case unanswered
        /// A refusal was revoked: their request waits again, or their promise counts again.
        case reopened, counts
        case dayBefore, hoursBefore
        /// A shift is over, and the hours are unknown.
        case ended
        /// Staff hid it, or suspended its organization; it is shown again.
        case hidden, shown
        // To an organization.
        case asked, askedAlong, joined, brought, left, promised, dropped, stale, reviewed
        /// A request from days ago still waits.
        case waits
        /// Something was brought; a promise expires tomorrow, or has expired; the opportunity left the lists
        /// automatically.
        case given, endingThere, lapsedThere, unlisted
        /// A giver corrected that something was brought.
        case notYet
    }

    /// What an organization reads of a new sign-up.
    static func request(at opportunity: Opportunity) -> What {
        guard opportunity.asksFirst else { return .joined }
        return opportunity.kind == .shadow ? .askedAlong : .asked
    }

    /// A time, place or reason, in the stored form, formatted when it is read.
    enum Fact: Sendable, Equatable {
        /// With its zone where that was changed, too.
        case time(Day, TimeOfDay, TimeOfDay, in: Zone? = nil)
        case text(String)

        var words: Words {
            switch self {
            case .time(let day, let start, let end, let zone?):
                """
                \(day.name, as: "day"), \(EventTimes.words(from: start, to: end), as: "time") \
                (\(zone.name, as: "zone"))
                """
            case .time(let day, let start, let end, nil):
                "\(day.name, as: "day"), \(EventTimes.words(from: start, to: end), as: "time")"
            case .text(let text): Words(verbatim: text)
            }
        }

        fileprivate var name: Words { if case .time = self { "When" } else { "Where" } }

        /// The format in a notice.
        var kept: String {
            switch self {
            case .time(let day, let start, let end, let zone):
                "@\(day.iso) \(start.minutes) \(end.minutes)" + (zone.map { " \($0.identifier)" } ?? "")
            case .text(let text): "=" + text.filter { $0 != "\u{1E}" }
            }
        }

        fileprivate init?(kept: String) {
            if kept.hasPrefix("=") {
                self = .text(String(kept.dropFirst()))
                return
            }
            let parts = kept.dropFirst().split(separator: " ")
            guard kept.hasPrefix("@"), (3...4).contains(parts.count), let day = Day(iso: String(parts[0])),
                let start = Int(parts[1]).flatMap({ TimeOfDay(minutes: $0) }),
                let end = Int(parts[2]).flatMap({ TimeOfDay(minutes: $0) })
            else { return nil }
            self = .time(day, start, end, in: parts.count == 4 ? Zone(stored: String(parts[3])) : nil)
        }
    }

    /// The name of the zone in which it says a time, if it doesn't say it there and it isn't the reader's.
    func zoneName(in there: Zone, for reader: Zone) -> Words? {
        for case .time(let day, let start, _, nil)? in [now, before] {
            let at = there.instant(day, start)
            return there.offset(at: at) != reader.offset(at: at) ? there.name : nil
        }
        return nil
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

    /// The format in a notice; without facts it is only the title.
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
            .asksAgain, .unagreed, .closedToChildren, .thereAlready, .unanswered, .ending, .missed, .reopened, .counts,
            .ended, .corrected, .hidden, .shown:
            .helping
        case .dayBefore: .dayBefore
        case .hoursBefore: .hoursBefore
        case .asked, .askedAlong, .joined, .brought, .left, .promised, .dropped, .stale, .reviewed, .waits, .given,
            .endingThere, .lapsedThere, .unlisted, .notYet:
            .helpers
        }
    }

    /// The title, with the shift's date.
    private var name: Words {
        guard case .time(let day, _, _, _) = before ?? now else { return Words(verbatim: title) }
        return Event.name(Words(verbatim: title), on: day)
    }

    var words: Words {
        switch what {
        case .accepted: "They said yes: \(name, as: "title")"
        case .declined: "They can’t take you this time: \(name, as: "title")"
        case .moved: "Your shift has moved: \(name, as: "title")"
        case .relocated: "It is at another place: \(name, as: "title")"
        case .calledOff: "Called off: \(name, as: "title")"
        case .hidden: "The page of \(name, as: "title") isn’t shown at the moment"
        case .shown: "The page of \(name, as: "title") is shown again"
        case .confirmed: "Your hours are confirmed: \(name, as: "title")"
        case .corrected: "Your confirmed hours were changed: \(name, as: "title")"
        case .lapsed: "Your promise ran out, and others can take it: \(name, as: "title")"
        case .ending: "Tomorrow your promise runs out: \(name, as: "title")"
        case .missed: "They say that it didn’t come: \(name, as: "title")"
        case .thanked: "What you brought was received, thank you: \(name, as: "title")"
        case .won: "A place became free, and it is yours: \(name, as: "title")"
        case .kept: "A place became free, and is kept for you until they say yes or no: \(name, as: "title")"
        case .agreed: "A parent agreed: \(name, as: "title")"
        case .asksAgain: "A parent has to agree once more, by the same link: \(name, as: "title")"
        case .unagreed: "No parent said yes in time, and the place is free again: \(name, as: "title")"
        case .closedToChildren, .thereAlready: "You no longer wait for a place: \(name, as: "title")"
        case .unanswered: "There was no answer in time: \(name, as: "title")"
        case .reopened: "They took their no back: \(name, as: "title")"
        case .counts: "They took it back, and your promise counts again: \(name, as: "title")"
        case .waits: "Somebody still waits for your answer: \(name, as: "title")"
        case .dayBefore, .hoursBefore: "Coming up: \(name, as: "title")"
        case .ended: "How long were you there? \(name, as: "title")"
        case .asked: "Somebody would like to help: \(name, as: "title")"
        case .askedAlong: "Somebody would like to come along: \(name, as: "title")"
        case .joined: "Somebody signed up: \(name, as: "title")"
        case .brought: "Somebody brings a child along: \(name, as: "title")"
        case .left: "Somebody gave a place back: \(name, as: "title")"
        case .promised: "Somebody promised something: \(name, as: "title")"
        case .dropped: "Somebody took a promise back: \(name, as: "title")"
        case .given: "Somebody says it was brought: \(name, as: "title")"
        case .notYet: "It isn’t there yet after all: \(name, as: "title")"
        case .endingThere: "Tomorrow a promise runs out: \(name, as: "title")"
        case .lapsedThere: "A promise ran out: \(name, as: "title")"
        case .unlisted: "No longer in the lists: \(name, as: "title")"
        case .stale: "Does this still hold? \(name, as: "title")"
        case .reviewed: "A review of \(name, as: "title")"
        }
    }

    var more: Words {
        switch what {
        case .stale: return "It leaves the lists in a week, unless you say so."
        case .ending: return "Bring it, or take it back, and others can promise it."
        case .missed: return "Others can promise it again. If it is a mistake, please write to them."
        case .given: return "Say whether you got it."
        case .notYet: return "They had said so by mistake. The promise holds."
        case .endingThere: return "Did it come already? Then say so."
        case .lapsedThere: return "Others can promise it again."
        case .unlisted: return "Nobody said that it still holds, or its time is over. You can copy it, and ask anew."
        case .reviewed: return "Read it, and answer if you like."
        case .ended: return "Note your hours, and the organization confirms them."
        case .corrected: return "A certificate that counts them now says so under its code. Print it again."
        case .asked, .askedAlong: return "Say yes or no."
        case .hidden: return "Please ask the organization whether it takes place."
        case .shown: return "Your places and promises stayed yours."
        case .waits: return "Without a yes or no their request runs out."
        case .unanswered: return "Your request ran out, and no place is held for you. Look for another way to help."
        case .reopened: return "Your request waits for their answer again."
        case .declined: return "Look for another way to help."
        case .closedToChildren: return "Children can’t come along there anymore. You can sign up without them."
        case .thereAlready: return "One of the children is in that shift already, with the other parent."
        default:
            guard let before, let now else { return (now ?? before)?.words ?? Words(verbatim: "") }
            return "Now \(now.words, as: "now"); before \(before.words, as: "before")"
        }
    }

    var link: Link {
        switch what {
        case .confirmed, .corrected, .thanked: .impact
        case .ended: Link.impact.fragment("say")
        case .asked, .askedAlong, .joined, .brought, .left, .promised, .dropped, .waits, .given, .notYet, .endingThere,
            .lapsedThere:
            .opportunity(about) / "signups"
        case .reviewed: reviewed
        case .declined, .unanswered: .opportunities
        // Its own page is closed to them.
        case .hidden: .week
        case .accepted, .won, .kept, .dayBefore, .hoursBefore, .moved, .relocated, .agreed, .asksAgain, .unagreed,
            .reopened, .ending, .counts, .shown:
            Link.opportunity(about).fragment("mine")
        default: .opportunity(about)
        }
    }

    /// The page with a review: that of the organization, whose name is stored.
    private var reviewed: Link {
        guard case .text(let username) = before else { return Link.me }
        return Link.provider(username).fragment("review-\(about)")
    }

    /// Whether there is a separate sentence with details.
    fileprivate var isExplained: Bool {
        switch what {
        case .stale, .closedToChildren, .thereAlready, .ending, .missed, .given, .endingThere, .lapsedThere,
            .unlisted, .reviewed, .reopened, .notYet, .ended, .corrected, .hidden, .shown:
            true
        default: false
        }
    }

    /// Whether its reader goes there, and has to know where.
    fileprivate var isOnTheWay: Bool {
        switch what {
        case .accepted, .won, .moved, .dayBefore, .hoursBefore: true
        default: false
        }
    }

    /// For a shift or place that moved, what it says is now, and what it says was before: another move that begins
    /// where this one led goes on from it.
    var move: (from: String, to: String)? {
        guard what == .moved || what == .relocated, let before, let now else { return nil }
        return ("\(what.rawValue) \(about) \(before.kept)", "\(what.rawValue) \(about) \(now.kept)")
    }

    /// The same, from where an earlier move began; nil if it leads back there.
    func going(onFrom earlier: HelpNews) -> HelpNews? {
        earlier.before == now ? nil : HelpNews(what, about, title, before: earlier.before, now: now)
    }

    var icon: Icon { what == .dayBefore || what == .hoursBefore ? .bell : .hands }
    var group: String? { "\(about)\(what.rawValue)\((now ?? before)?.kept ?? "")" }
}

extension LetterText {
    /// - Parameters:
    ///   - place: Where it is, for a reader who goes there.
    ///   - zone: The zone of the times, if it isn't the reader's.
    static func help(_ news: HelpNews, at place: AddressLine? = nil, in zone: Words? = nil) -> LetterText {
        let fact = news.now.map { Fact(name: $0.name, before: news.before?.words, words: $0.words) }
        let place = place.flatMap { line in
            news.isOnTheWay && !line.address.city.isEmpty ? Fact(name: "Where", words: Words(line)) : nil
        }
        let isReason = news.now == nil && news.before != nil || news.isExplained
        var closing: [Words] = []
        if news.kind == .dayBefore || news.kind == .hoursBefore || news.what == .won {
            closing = ["If you can’t come, give the place back there: somebody else will be glad."]
        }
        return LetterText(
            subject: news.words, heading: news.words, lines: isReason ? [news.more] : [],
            facts: [fact, zone.map { Fact(name: "Time zone", words: $0) }, place].compactMap(\.self),
            action: Action(name: "See it", link: news.link), closing: closing)
    }
}

extension Shift {
    /// Its time, for news.
    var fact: HelpNews.Fact { fact(in: nil) }

    func fact(in zone: Zone?) -> HelpNews.Fact { .time(day, start, end, in: zone) }
}
