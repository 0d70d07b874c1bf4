import Forms
import Templating

/// A page of the inbox.
struct InboxPage: Sendable {
    let days: [(name: Words, notices: [Row])]
    let onlyUnread: Bool
    let more: Link?

    struct Row: Sendable {
        private(set) var notice: Notice
        private var news: (any InboxNews)?
        let time: Words
        /// How many notices of one kind about one event it represents.
        var count = 1
        /// The changes from all of them.
        var changes: [Change]
        /// The link to give back the places in a reminder.
        var giveBack: Link?
        var link: Link { Link.notice(notice.id) }

        fileprivate init(_ notice: Notice, time: Words) {
            (self.notice, self.time, news, changes) = (notice, time, notice.news, notice.changes)
        }

        /// Its text, or if that can't be read the name of its kind.
        var words: Words { news?.words ?? notice.kind.name }
        /// The text below it, for a reader in a zone.
        func more(for reader: Zone) -> Words { news?.more(for: reader) ?? Words(verbatim: "") }
        var icon: Icon { news?.icon ?? .mail }
        /// The name of its color.
        var look: String { news?.look ?? "in" }

        /// Merges an earlier notice into the row.
        fileprivate mutating func add(_ earlier: Notice) {
            count += 1
            if notice.kind == .booked { notice.times += earlier.times }
            if !earlier.isRead { notice.readAt = nil }
            changes = Change.merged(earlier.changes + changes)
            // What was read is what the reader knows, so the row goes on from there.
            if !earlier.isRead, let news = notice.help, news.move != nil, let whole = earlier.help.flatMap(news.going) {
                notice.detail = whole.detail
            }
            news = notice.news
        }

        /// The number of notices, unless the text says it.
        var often: Words? {
            count > 1 && notice.kind != .booked ? Words("{count} time", plural: "{count} times", count: count) : nil
        }
    }

    init(_ page: Page<Notice>, of reader: ID<Account>, onlyUnread: Bool, now: Instant, in zone: Zone, _ seal: Seal?) {
        var days: [(day: Day, rows: [Row])] = []
        // Several of one kind about one event form one row, at the position of the newest.
        var rows: [String: (day: Int, row: Int)] = [:]
        // A shift that moved twice is in one row, too, so that no earlier time stands below as if it held.
        var moves: [String: (day: Int, row: Int)] = [:]
        for notice in page.items {
            let (group, move) = (notice.group, notice.help?.move)
            if let (day, row) = rows[group] ?? move.flatMap({ moves[$0.to] }) {
                days[day].rows[row].add(notice)
                if let move { moves[move.from] = (day, row) }
                continue
            }
            let (day, time) = zone.local(notice.at)
            if days.last?.day != day { days.append((day, [])) }
            var row = Row(notice, time: time.name)
            rows[group] = (days.count - 1, days[days.count - 1].rows.count)
            if let move { moves[move.from] = rows[group] }
            if Reminder(notice.kind) != nil, let happening = notice.happening, !happening.isCancelled,
                happening.schedule.startsAt > now, let registration = notice.registration
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
