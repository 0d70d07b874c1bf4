import Forms
import Templating

/// A notice to a member.
struct Notice: Sendable {
    let id: ID<Notice>
    let kind: NoticeKind
    let registration: ID<Registration>?
    /// Data that depends on the kind, such as what changed.
    let detail: String
    /// The number of its subject apart from the event.
    let subject: Int64?
    /// How often it happened while unread.
    var times: Int
    let at: Instant
    var readAt: Instant?
    /// The event that it is about; nil for others.
    let happening: Happening?
    /// The headline of a host's message; empty for other kinds.
    let headline: String
    /// The opportunity whose helpers got a message.
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

        /// The event's name, with its date if it lasts one day.
        var name: Words { Event.name(title.words, on: schedule.onlyDay) }
    }

    var isRead: Bool { readAt != nil }
    var event: ID<Event>? { happening?.event }
    var title: Words { happening?.title.words ?? Words(verbatim: "") }
    /// The subject's name with its date.
    private var name: Words { happening?.name ?? Words(verbatim: helped?.title ?? "") }

    /// News about a need.
    private var need: NeedNews? { kind == .needs ? NeedNews(detail: detail, subject: subject) : nil }

    /// What it tells about what two sides say to each other.
    private var thread: ThreadNews? { kind == .wrote ? ThreadNews(detail: detail, subject: subject) : nil }

    /// News about an organization that the reader follows.
    private var follow: FollowNews? {
        kind == .followed ? FollowNews(detail, subject: subject, happening) : nil
    }

    /// News about posts.
    private var talk: PostNews? { kind == .talked ? PostNews(detail: detail, subject: subject) : nil }

    /// News about a friend whom the reader challenged.
    private var challenge: ChallengeNews? { kind == .challenged ? ChallengeNews(detail: detail) : nil }

    /// The kind act of the day of the notice.
    private var act: KindAct? {
        kind == .dayAct ? subject.flatMap { id in KindAct.catalog.first { $0.id.rawValue == id } } : nil
    }

    /// News from the desk.
    private var desk: DeskNews? {
        [.role, .desk, .verified].contains(kind) ? DeskNews(detail: detail, subject: subject) : nil
    }

    /// News about an imported calendar.
    private var calendar: ImportNews? {
        kind == .imported ? ImportNews(detail: detail, subject: subject) : nil
    }

    /// News about an organization's team.
    private var team: TeamNews? { kind == .team ? TeamNews(detail: detail, subject: subject) : nil }

    /// News about co-hosting an event.
    private var cohosting: CohostNews? { kind == .cohosting ? CohostNews(detail: detail, subject: subject) : nil }

    /// News about helping.
    var help: HelpNews? {
        switch kind {
        case .helping, .helpers: HelpNews(detail: detail, subject: subject)
        // A reminder of a shift.
        case .dayBefore, .hoursBefore: event == nil ? HelpNews(detail: detail, subject: subject) : nil
        default: nil
        }
    }

    /// The activity in which the reader got a place from the waiting list.
    private var won: (name: String, words: Words)? {
        kind == .offered && Int(detail) == nil ? Change.activity(detail) : nil
    }

    /// The upcoming session.
    private var session: (name: String, words: Words)? {
        Reminder(kind) != nil && event != nil ? Change.activity(detail) : nil
    }

    /// The detail of an offer that goes to the first to accept; otherwise the detail is the number of promised places.
    static let anybodys = "0"

    /// The detail of a notice to a family that waited in vain until the event began.
    static let inVain = "waited"

    /// How long notices are kept.
    static let memory = Duration.days(365)
    /// Notices per page.
    static let pageSize = 30

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

    /// The text below it.
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

    /// Notices with the same group form one row in the inbox: they say the same, and changes were read together, so
    /// that a row never returns to what its reader already knew.
    var group: String {
        if kind == .drawn { return "\(kind.rawValue)-\(subject ?? 0)\(detail)" }
        let seen = kind == .changed ? readAt.map { "-\($0.milliseconds)" } : nil
        if let event { return "\(kind.rawValue)-event-\(event)\((won ?? session)?.name ?? "")\(seen ?? "")" }
        let what = help?.group ?? need?.what.rawValue ?? talk?.what.rawValue ?? detail
        return "\(kind.rawValue)-\(subject ?? 0)\(what)"
    }

    /// The edit that it is about.
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

    /// The page it leads to.
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
    /// The format of stored changes, a line each: field, before, now.
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
        /// How many notices of one kind about one event it represents.
        var count = 1
        /// The changes from all of them.
        var changes: [Change]
        /// The link to give back the places in a reminder.
        var giveBack: Link?
        var link: Link { Link.notice(notice.id) }

        /// Merges an earlier notice into the row.
        fileprivate mutating func add(_ earlier: Notice) {
            count += 1
            if notice.kind == .booked { notice.times += earlier.times }
            if !earlier.isRead { notice.readAt = nil }
            changes = Change.merged(earlier.changes + changes)
        }

        /// The number of notices, unless the text says it.
        var often: Words? {
            count > 1 && notice.kind != .booked ? Words("{count} time", plural: "{count} times", count: count) : nil
        }
    }

    init(
        _ page: Page<Notice>, of reader: ID<Account>, onlyUnread: Bool, now: Instant, in zone: Zone, _ seal: Seal?
    ) {
        var days: [(day: Day, rows: [Row])] = []
        // Several of one kind about one event form one row, at the position of the newest.
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

/// A member's notification preferences.
struct NoticeChoices: Sendable {
    /// The kinds for the reader's hats.
    let kinds: [NoticeKind]
    /// The reader's choices: `changed.mail`; others have their defaults.
    let chosen: [String: Bool]
    /// Which letters arrive, regardless of choices.
    let reach: MailReach
    /// The devices with push messages.
    var devices: [PushDevice] = []
    /// When to remind of the daily kind act; nil for never.
    var actReminder: TimeOfDay?

    /// The name of a checkbox.
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

    /// Whether letters of a kind arrive: they are chosen, and sent to addresses in the reader’s state.
    func comesByMail(_ kind: NoticeKind) -> Bool { isOn(kind, .mail) && reach.takes(kind) }

    /// Whether a kind is on for a channel that currently doesn't work.
    func isSilent(_ kind: NoticeKind, _ channel: NoticeKind.Channel) -> Bool {
        guard isOn(kind, channel) else { return false }
        return switch channel {
        case .inbox: false
        case .mail, .daily: !reach.takes(kind)
        case .calendar: !isOn(kind, .mail) || !reach.isConfirmed
        case .push: devices.isEmpty || !isOn(kind, .inbox)
        }
    }

    /// The hours to choose from for a reminder.
    static let hours = (5...22).map { TimeOfDay(hour: $0, minute: 0)! }

    /// Whether push is on in the current browser.
    var isOnHere: Bool { devices.contains(where: \.isThis) }

    /// The kinds chosen for mail that don't arrive.
    var missed: [NoticeKind] { kinds.filter { isOn($0, .mail) && !reach.takes($0) } }

    /// The kinds that reach the reader, by channel; unused channels are left out.
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
