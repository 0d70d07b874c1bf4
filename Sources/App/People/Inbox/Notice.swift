import Forms
import Templating

/// Something that somebody was told.
struct Notice: Sendable {
    let id: ID<Notice>
    let kind: NoticeKind
    let registration: ID<Registration>?
    /// What its kind keeps beside: what changed.
    let detail: String
    /// The number of what it is about beside its event.
    let subject: Int64?
    /// How often it happened until it was read.
    var times: Int
    let at: Instant
    var readAt: Instant?
    /// The event that it is about; nil where it is about something else.
    let happening: Happening?
    /// What a host wrote above a message to all who come, or who help; empty of all else.
    let headline: String
    /// The way to help whose helpers a message went to.
    let helped: Helped?

    struct Helped: Sendable {
        let id: ID<Opportunity>
        let title: String
    }

    struct Happening: Sendable {
        let event: ID<Event>
        let title: EventTitle
        let schedule: Schedule
        let cancelReason: String

        /// What it is called, with its date where that is one day.
        var name: Words { Event.name(title.words, on: schedule.onlyDay) }
    }

    var isRead: Bool { readAt != nil }
    var event: ID<Event>? { happening?.event }
    var title: Words { happening?.title.words ?? Words(verbatim: "") }
    /// What it is about, with its date.
    private var name: Words { happening?.name ?? Words(verbatim: helped?.title ?? "") }

    /// What it tells about a need.
    private var need: NeedNews? { kind == .needs ? NeedNews(detail: detail, subject: subject) : nil }

    /// What it tells about what two sides say to each other.
    private var thread: ThreadNews? { kind == .wrote ? ThreadNews(detail: detail, subject: subject) : nil }

    /// What it tells of an organization that its reader follows.
    private var follow: FollowNews? {
        kind == .followed ? FollowNews(detail, subject: subject, happening) : nil
    }

    /// What it tells about posts.
    private var talk: PostNews? { kind == .talked ? PostNews(detail: detail, subject: subject) : nil }

    /// What a friend did whom its reader asked.
    private var challenge: ChallengeNews? { kind == .challenged ? ChallengeNews(detail: detail) : nil }

    /// The kind act of the day on which it was told.
    private var act: KindAct? {
        kind == .dayAct ? subject.flatMap { id in KindAct.catalog.first { $0.id.rawValue == id } } : nil
    }

    /// What it tells about the desk.
    private var desk: DeskNews? {
        [.role, .desk, .verified].contains(kind) ? DeskNews(detail: detail, subject: subject) : nil
    }

    /// What it tells about a calendar that events come from.
    private var calendar: ImportNews? {
        kind == .imported ? ImportNews(detail: detail, subject: subject) : nil
    }

    /// What it tells about looking after an organization together.
    private var team: TeamNews? { kind == .team ? TeamNews(detail: detail, subject: subject) : nil }

    /// What it tells about hosting an event together.
    private var cohosting: CohostNews? { kind == .cohosting ? CohostNews(detail: detail, subject: subject) : nil }

    /// What it tells about helping.
    var help: HelpNews? {
        switch kind {
        case .helping, .helpers: HelpNews(detail: detail, subject: subject)
        // A reminder of a shift.
        case .dayBefore, .hoursBefore: event == nil ? HelpNews(detail: detail, subject: subject) : nil
        default: nil
        }
    }

    /// The activity that somebody who waited has a place in now.
    private var won: (name: String, words: Words)? {
        kind == .offered && Int(detail) == nil ? Change.activity(detail) : nil
    }

    /// The session that comes up.
    private var session: (name: String, words: Words)? {
        Reminder(kind) != nil && event != nil ? Change.activity(detail) : nil
    }

    /// The detail of a notice of places that the first to take them has; else it says how many are promised.
    static let anybodys = "0"

    /// The detail of a notice that a family waited until the event began, and had no offer.
    static let inVain = "waited"

    /// How long notices are kept.
    static let memory = Duration.days(365)
    /// Notices a page.
    static let pageSize = 30

    /// What it tells, in a line.
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
        case .dayBefore, .hoursBefore: help?.words ?? "Coming up: \(name, as: "title")"
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
        case .helping, .helpers: help?.words ?? kind.name
        case .followed: follow?.words ?? kind.name
        case .needs: need?.words ?? kind.name
        case .wrote: thread?.words ?? kind.name
        case .talked: talk?.words(times: times) ?? kind.name
        case .challenged: challenge?.words ?? kind.name
        case .dayAct: act.map { "Today’s kind act: \($0.name, as: "act")" } ?? kind.name
        case .role, .desk, .verified: desk?.words ?? kind.name
        case .team: team?.words ?? kind.name
        case .cohosting: cohosting?.words ?? kind.name
        case .imported: calendar?.words ?? kind.name
        case .welcome, .reset, .address, .moved, .newPassword, .twoStepOn, .twoStepOff, .recovered, .deleted,
            .guardianOn, .guardianOff, .test, .invited, .searched,
            .aboutEvents, .aboutHelping, .aboutKindness, .aboutPets, .aboutSite:
            kind.name
        }
    }

    /// What it says below.
    var more: Words {
        if kind.isOfPets { return PlaydateNews(kind, detail).more }
        if let help { return help.more }
        if let need { return need.more }
        if let thread { return thread.more }
        if kind == .talked || kind == .challenged || kind == .drawn { return Words(verbatim: "") }
        if let desk { return desk.more }
        if let team { return team.more }
        if let cohosting { return cohosting.more }
        if let calendar { return calendar.more }
        if let won = won ?? session { return won.words }
        if !headline.isEmpty { return Words(verbatim: headline) }
        guard let happening else {
            if kind == .decided, detail == "stands" { return "Read what the people who run the site say to it." }
            let isAnswered = kind == .decided && detail != "admit" && detail != "fine"
            return isAnswered ? "Read why, and answer if you like." : Words(verbatim: "")
        }
        if kind == .cancelled, !happening.cancelReason.isEmpty { return Words(verbatim: happening.cancelReason) }
        let schedule = happening.schedule
        return "\(schedule.day.name, as: "day"), \(schedule.time, as: "time")"
    }

    /// Those of one group are one row of the inbox: they say the same, and of what changed they were read together, so
    /// that a row never goes back to what its reader knew before.
    var group: String {
        if kind == .drawn { return "\(kind.rawValue)-\(subject ?? 0)\(detail)" }
        let seen = kind == .changed ? readAt.map { "-\($0.milliseconds)" } : nil
        if let event { return "\(kind.rawValue)-event-\(event)\((won ?? session)?.name ?? "")\(seen ?? "")" }
        let what = help?.group ?? need?.what.rawValue ?? talk?.what.rawValue ?? detail
        return "\(kind.rawValue)-\(subject ?? 0)\(what)"
    }

    /// The edit that it tells of.
    var edit: ID<Change>? { kind == .changed || kind == .cancelled ? subject.map { ID($0) } : nil }

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

    /// Where it leads.
    var link: Link {
        if kind == .decided { return subject.map { Link.decision(ID<Decision>($0)) } ?? Link.inbox }
        if kind.isOfPets {
            return PlaydateNews(kind, detail).isOfEnded ? .matches : subject.map { Link.match(ID($0)) } ?? .matches
        }
        if let help { return help.link }
        if let need { return need.link }
        if let thread { return thread.link }
        if let follow { return follow.link }
        if let talk { return talk.link }
        if let challenge { return challenge.link }
        if kind == .dayAct { return act?.link ?? .kindness }
        if let helped { return .messages(helped.id) }
        if let desk { return desk.link }
        if let team { return team.link }
        if let cohosting { return cohosting.link }
        if let calendar { return calendar.link }
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

extension Change {
    /// Changes in a line each: what, before, now.
    static func keeping(_ changes: [Change]) -> String {
        func plain(_ text: String) -> String { text.filter { $0 != "\u{1E}" && $0 != "\u{1F}" } }
        return changes.map { "\($0.what.rawValue)\u{1F}\(plain($0.before))\u{1F}\(plain($0.now))" }
            .joined(separator: "\u{1E}")
    }

    static func kept(_ detail: String, of event: ID<Event>) -> [Change] {
        detail.split(separator: "\u{1E}").compactMap { line in
            let parts = line.split(separator: "\u{1F}", omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 3, let what = What(rawValue: parts[0]) else { return nil }
            return Change(event: event, what: what, before: parts[1], now: parts[2])
        }
    }
}

/// A page of the inbox.
struct InboxPage: Sendable {
    let days: [(name: Words, notices: [Row])]
    let onlyUnread: Bool
    let more: Link?

    struct Row: Sendable {
        var notice: Notice
        let time: Words
        /// How many notices of one kind about one event it stands for.
        var count = 1
        /// What changed, in all of them.
        var changes: [Change]
        /// Gives the places back that it reminds of.
        var giveBack: Link?
        var link: Link { Link.notice(notice.id) }

        /// Takes an earlier one into the row.
        fileprivate mutating func add(_ earlier: Notice) {
            count += 1
            if notice.kind == .booked { notice.times += earlier.times }
            if !earlier.isRead { notice.readAt = nil }
            changes = Change.merged(earlier.changes + changes)
        }

        /// How many it stands for, where its own words don't say so.
        var often: Words? {
            count > 1 && notice.kind != .booked ? Words("{count} time", plural: "{count} times", count: count) : nil
        }
    }

    init(
        _ page: Page<Notice>, of reader: ID<Account>, onlyUnread: Bool, now: Instant, in zone: Zone, _ seal: Seal?
    ) {
        var days: [(day: Day, rows: [Row])] = []
        // Several of one kind about one event are one row, where the newest of them stands.
        var rows: [String: (day: Int, row: Int)] = [:]
        for notice in page.items {
            if let (day, row) = rows[notice.group] {
                days[day].rows[row].add(notice)
                continue
            }
            let (day, time) = zone.local(notice.at)
            if days.last?.day != day { days.append((day, [])) }
            var row = Row(notice: notice, time: time.name, changes: notice.changes)
            rows[notice.group] = (days.count - 1, days[days.count - 1].rows.count)
            if Reminder(notice.kind) != nil, let happening = notice.happening, happening.schedule.startsAt > now,
                let registration = notice.registration
            {
                row.giveBack = seal.map { LetterLink.giveBack.link(to: registration, for: reader, $0) }
            }
            days[days.count - 1].rows.append(row)
        }
        let today = zone.day(of: now)
        self.days = days.map { day, rows in
            let name: Words =
                day == today ? "Today" : day == today.advanced(by: -1) ? "Yesterday" : day.name
            return (name, rows)
        }
        self.onlyUnread = onlyUnread
        let here = Link.inbox.with("show", onlyUnread ? "unread" : nil)
        more = page.more(at: here)
    }
}

/// What somebody is told, and where.
struct NoticeChoices: Sendable {
    /// Those of its reader's hats.
    let kinds: [NoticeKind]
    /// What its reader chose: `changed.mail`; all else is as usual.
    let chosen: [String: Bool]
    /// Which letters arrive, whatever was chosen.
    let reach: MailReach
    /// Where its reader switched push on.
    var devices: [PushDevice] = []
    /// When its reader is reminded of the day's kind act; nil for never.
    var actReminder: TimeOfDay?

    /// How a box of the page is called.
    static func name(_ kind: NoticeKind, _ channel: NoticeKind.Channel) -> String {
        "\(kind.rawValue).\(channel.rawValue)"
    }

    func isOn(_ kind: NoticeKind, _ channel: NoticeKind.Channel) -> Bool {
        switch kind.rule(of: channel) {
        case .never: false
        case .always: true
        case .wished: chosen[Self.name(kind, channel)] ?? false
        case .chosen: chosen[Self.name(kind, channel)] ?? true
        }
    }

    /// Whether letters of a kind arrive: what is chosen, and sent to an address like its reader’s.
    func comesByMail(_ kind: NoticeKind) -> Bool { isOn(kind, .mail) && reach.takes(kind) }

    /// Whether a kind is on for a channel that can’t bring it at the moment.
    func isSilent(_ kind: NoticeKind, _ channel: NoticeKind.Channel) -> Bool {
        guard isOn(kind, channel) else { return false }
        return switch channel {
        case .inbox: false
        case .mail, .daily: !reach.takes(kind)
        case .calendar: !isOn(kind, .mail) || !reach.isConfirmed
        case .push: devices.isEmpty || !isOn(kind, .inbox)
        }
    }

    /// The hours at which its reader can be reminded.
    static let hours = (5...22).map { TimeOfDay(hour: $0, minute: 0)! }

    /// Whether push is on in the browser with which its reader looks.
    var isOnHere: Bool { devices.contains(where: \.isThis) }

    /// What is wished by mail, and doesn’t come.
    var missed: [NoticeKind] { kinds.filter { isOn($0, .mail) && !reach.takes($0) } }

    /// What reaches its reader, by the ways it takes; a way that nothing takes is left out.
    var groups: [(way: Words, kinds: [Words])] {
        let ways: [(way: Words, inbox: Bool, mail: Bool)] = [
            ("Here and by mail", true, true), ("Only here", true, false), ("Only by mail", false, true),
            ("Off", false, false),
        ]
        return ways.compactMap { way, inbox, mail in
            let names = kinds.filter { isOn($0, .inbox) == inbox && comesByMail($0) == mail }.map(\.name)
            return names.isEmpty ? nil : (way, names)
        }
    }
}
