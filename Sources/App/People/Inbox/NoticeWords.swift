import Forms
import Templating

/// What a notice says, by its kind.
extension Notice {
    /// The subject's name with its date.
    private var name: Words { happening?.name ?? Words(verbatim: helped?.title ?? "") }

    /// News whose words its feature has; nil for kinds whose words are in this file.
    private var news: (any TitledNews)? {
        switch kind {
        case .needs: NeedNews(detail: detail, subject: subject)
        case .wrote: ThreadNews(detail: detail, subject: subject)
        case .role, .desk, .verified: DeskNews(detail: detail, subject: subject)
        case .imported: ImportNews(detail: detail, subject: subject)
        case .team: TeamNews(detail: detail, subject: subject)
        case .cohosting: CohostNews(detail: detail, subject: subject)
        case .helping, .helpers: HelpNews(detail: detail, subject: subject)
        // A reminder of a shift.
        case .dayBefore, .hoursBefore: event == nil ? HelpNews(detail: detail, subject: subject) : nil
        default: nil
        }
    }

    /// News about helping.
    var help: HelpNews? { news as? HelpNews }

    /// News about an organization that the reader follows.
    private var follow: FollowNews? {
        kind == .followed ? FollowNews(detail, subject: subject, happening) : nil
    }

    /// News about posts.
    var talk: PostNews? {
        guard kind == .talked, var news = PostNews(detail: detail, subject: subject) else { return nil }
        if let author { news.name = author }
        return news
    }

    /// News about a friend whom the reader challenged.
    private var challenge: ChallengeNews? { kind == .challenged ? ChallengeNews(detail: detail) : nil }

    /// The kind act of the day of the notice.
    private var act: KindAct? {
        kind == .dayAct ? subject.flatMap { id in KindAct.catalog.first { $0.id.rawValue == id } } : nil
    }

    /// The activity in which the reader got a place from the waiting list.
    private var won: (name: String, words: Words)? {
        kind == .offered && Int(detail) == nil ? Change.activity(detail) : nil
    }

    /// The upcoming session.
    private var session: (name: String, words: Words)? {
        Reminder(kind) != nil && event != nil ? Change.activity(detail) : nil
    }

    /// The text.
    var words: Words {
        switch kind {
        case .registered where times > 1:
            "You have places at \(title, as: "title"), on \(times, as: "count") dates"
        case .registered: "You have places at \(name, as: "title")"
        case .changed where times > 1: "\(title, as: "title") has changed, on \(times, as: "count") of your dates"
        case .changed: "\(name, as: "title") has changed"
        case .cancelled where times > 1: "Canceled: \(title, as: "title"), \(times, as: "count") of your dates"
        case .cancelled: "Canceled: \(name, as: "title")"
        case .hidden: "The page of \(name, as: "title") isn’t shown at the moment"
        case .dayBefore where session != nil, .hoursBefore where session != nil:
            "Coming up: \(session?.name ?? "", as: "session"), \(title, as: "title")"
        case .dayBefore, .hoursBefore: news?.words ?? "Coming up: \(name, as: "title")"
        case .offered where won != nil:
            "The place is yours: \(won?.name ?? "", as: "activity"), \(name, as: "title")"
        case .offered where detail == Self.anybodys:
            "A place is free at the last minute: \(name, as: "title")"
        case .offered:
            Words(
                "A place is free for you: \(name, as: "title")",
                plural: "{count} places are free for you: \(name, as: "title")", count: Int(detail) ?? 1)
        case .lapsed where detail == Self.inVain: "No place became free: \(name, as: "title")"
        case .lapsed: "Your offer for \(name, as: "title") ran out"
        case .drawn: DrawNews(rawValue: detail)?.words ?? kind.name
        case .announced: "A message about \(name, as: "title")"
        case .asked: "A question about \(name, as: "title")"
        case .answered: "An answer to your question about \(name, as: "title")"
        case .booked where times > 1:
            "\(times, as: "count") new registrations for \(name, as: "title")"
        case .booked: "A new registration for \(name, as: "title")"
        case .published: "\(name, as: "title") is published"
        case .decided where detail == "admit": "You are in. Welcome to the village"
        case .decided where detail == "refuse": "You weren’t let in"
        case .decided where detail == "delete": "Your account is to be deleted"
        case .decided where detail == "fine": "Your kind act is in the catalog now"
        case .decided where detail == "stands": "Your answer was read"
        case .decided: "Something was decided about what you wrote"
        case .matched, .messaged, .met, .meeting: PlaydateNews(kind, detail).words
        case .followed: follow?.words ?? kind.name
        case .talked: talk?.words(times: times) ?? kind.name
        case .challenged: challenge?.words ?? kind.name
        case .dayAct: act.map { "Today’s kind act: \($0.name, as: "act")" } ?? kind.name
        case .helping, .helpers, .needs, .wrote, .role, .desk, .verified, .team, .cohosting, .imported:
            news?.words ?? kind.name
        case .welcome, .reset, .address, .moved, .newPassword, .twoStepOn, .twoStepOff, .recovered, .deleted,
            .guardianOn, .guardianOff, .test, .invited, .searched,
            .aboutEvents, .aboutHelping, .aboutKindness, .aboutPets, .aboutSite:
            kind.name
        }
    }

    /// The text below it, for a reader in a zone.
    func more(for reader: Zone) -> Words {
        if kind.isOfPets { return PlaydateNews(kind, detail).more }
        if let news { return news.more }
        if kind == .talked || kind == .challenged || kind == .drawn { return Words(verbatim: "") }
        if let won = won ?? session { return won.words }
        if !headline.isEmpty { return Words(verbatim: headline) }
        guard let happening else {
            if kind == .decided, detail == "stands" { return "Read what the people who run the site say to it." }
            let isAnswered = kind == .decided && detail != "admit" && detail != "fine"
            return isAnswered ? "Read why, and answer if you like." : Words(verbatim: "")
        }
        if kind == .cancelled, !happening.cancelReason.isEmpty { return Words(verbatim: happening.cancelReason) }
        let schedule = happening.schedule
        return schedule.said("\(schedule.day.name, as: "day"), \(schedule.time, as: "time")", for: reader)
    }

    /// Notices with the same group form one row in the inbox: they say the same, and changes were read together, so
    /// that a row never returns to what its reader already knew.
    var group: String {
        if kind == .drawn { return "\(kind.rawValue)-\(subject ?? 0)\(detail)" }
        let seen = kind == .changed ? readAt.map { "-\($0.milliseconds)" } : nil
        if let event { return "\(kind.rawValue)-event-\(event)\((won ?? session)?.name ?? "")\(seen ?? "")" }
        return "\(kind.rawValue)-\(subject ?? 0)\(news?.group ?? talk?.what.rawValue ?? detail)"
    }

    var changes: [Change] { kind == .changed ? event.map { Change.kept(detail, of: $0) } ?? [] : [] }

    var icon: Icon {
        switch kind {
        case .registered: .ticket
        case .changed, .lapsed: .clock
        case .hidden: .eyeOff
        case .dayBefore, .hoursBefore: .bell
        case .offered, .drawn: .ticket
        case .cancelled: .block
        case .announced, .asked, .answered: .mail
        case .booked: .people
        case .published, .imported: .calendar
        case .decided: .shield
        case .matched: .wave
        case .messaged, .wrote: .comment
        case .met, .meeting: .paw
        case .helping, .helpers: .hands
        case .followed: .heart
        case .needs: .gift
        case .talked: .comment
        case .role, .desk, .verified: .shield
        case .team: .house
        case .cohosting: .people
        case .challenged, .dayAct: .heart
        case .welcome, .reset, .address, .moved, .newPassword, .twoStepOn, .twoStepOff, .recovered, .deleted,
            .guardianOn, .guardianOff, .test, .invited, .searched,
            .aboutEvents, .aboutHelping, .aboutKindness, .aboutPets, .aboutSite:
            .mail
        }
    }

    /// The name of its color.
    var look: String {
        switch kind {
        case .changed, .cancelled, .hidden, .decided: "change"
        case .booked, .announced, .asked, .answered, .messaged, .wrote, .talked: "word"
        default: "in"
        }
    }

    /// The page it leads to.
    var link: Link {
        if kind == .decided { return subject.map { Link.decision(ID<Decision>($0)) } ?? Link.inbox }
        if kind.isOfPets {
            return PlaydateNews(kind, detail).isOfEnded ? .matches : subject.map { Link.match(ID($0)) } ?? .matches
        }
        if let news { return news.link }
        if let talk { return talk.link }
        if let follow { return follow.link }
        if let challenge { return challenge.link }
        if kind == .dayAct { return act?.link ?? .kindness }
        if let helped { return .messages(helped.id) }
        if kind == .guardianOn || kind == .guardianOff { return Link.guardian }
        guard let event else { return kind == .drawn ? .events : .inbox }
        return switch kind {
        case .changed, .cancelled: subject.map { Link.change(ID($0)) } ?? .event(event)
        case .registered, .offered, .hidden, .dayBefore, .hoursBefore:
            registration.map(Link.registration) ?? .event(event)
        case .booked: Link.roster(of: event)
        case .drawn: subject.map { Link.draw(ID($0)) } ?? .event(event)
        case .announced: .announcements(event)
        case .asked, .answered: subject.map { Link.event(event).fragment("question-\($0)") } ?? .questions(event)
        default: .event(event)
        }
    }
}

extension Notice.Happening {
    /// The event's name, with its date if it lasts one day.
    var name: Words { Event.name(title.words, on: schedule.onlyDay) }
}
