import Forms
import Templating

/// News about an event, for those who come or wait, and for those who look after it.
struct EventNews: InboxNews {
    let what: What
    private let notice: Notice
    private let happening: Notice.Happening

    /// The kinds of notices about it.
    enum What: String, CaseIterable, Sendable {
        case registered, changed, cancelled, hidden, offered, lapsed, dayBefore, hoursBefore, answered
        case booked, asked, published

        init?(_ kind: NoticeKind) { self.init(rawValue: kind.rawValue) }

        /// Whether its letters are to those who come or wait, and answered by the event's host.
        var isOfGuests: Bool {
            switch self {
            case .registered, .changed, .cancelled, .offered, .lapsed, .dayBefore, .hoursBefore, .answered: true
            case .hidden, .booked, .asked, .published: false
            }
        }
    }

    init?(_ notice: Notice) {
        guard let what = What(notice.kind), let happening = notice.happening else { return nil }
        (self.what, self.notice, self.happening) = (what, notice, happening)
    }

    private var title: Words { notice.title }
    private var name: Words { happening.name }
    private var times: Int { notice.times }
    private var detail: String { notice.detail }

    /// The activity that it is about: the next session, or the one in which a place became free.
    private var activity: (name: String, words: Words)? {
        switch what {
        case .dayBefore, .hoursBefore: Change.activity(detail)
        case .offered: Int(detail) == nil ? Change.activity(detail) : nil
        default: nil
        }
    }

    var words: Words {
        switch what {
        case .registered where times > 1:
            "You have places at \(title, as: "title"), on \(times, as: "count") dates"
        case .registered: "You have places at \(name, as: "title")"
        case .changed where times > 1: "\(title, as: "title") has changed, on \(times, as: "count") of your dates"
        case .changed: "\(name, as: "title") has changed"
        case .cancelled where times > 1: "Canceled: \(title, as: "title"), \(times, as: "count") of your dates"
        case .cancelled: "Canceled: \(name, as: "title")"
        case .hidden where detail == Notice.shownAgain: "The page of \(name, as: "title") is shown again"
        case .hidden: "The page of \(name, as: "title") isn’t shown at the moment"
        case .dayBefore, .hoursBefore:
            activity.map { "Coming up: \($0.name, as: "session"), \(title, as: "title")" }
                ?? "Coming up: \(name, as: "title")"
        case .offered where activity != nil:
            "The place is yours: \(activity?.name ?? "", as: "activity"), \(name, as: "title")"
        case .offered where detail == Notice.anybodys:
            "A place is free at the last minute: \(name, as: "title")"
        case .offered:
            Words(
                "A place is free for you: \(name, as: "title")",
                plural: "{count} places are free for you: \(name, as: "title")", count: Int(detail) ?? 1)
        case .lapsed where detail == Notice.inVain: "No place became free: \(name, as: "title")"
        case .lapsed: "Your offer for \(name, as: "title") ran out"
        case .asked: "A question about \(name, as: "title")"
        case .answered: "An answer to your question about \(name, as: "title")"
        case .booked where times > 1:
            "\(times, as: "count") new registrations for \(name, as: "title")"
        case .booked: "A new registration for \(name, as: "title")"
        case .published: "\(name, as: "title") is published"
        }
    }

    func more(for reader: Zone) -> Words {
        if let activity { return activity.words }
        if what == .cancelled, !happening.cancelReason.isEmpty { return Words(verbatim: happening.cancelReason) }
        return happening.time(for: reader)
    }

    var link: Link {
        let event = happening.event
        return switch what {
        case .changed, .cancelled: notice.subject.map { Link.change(ID($0)) } ?? .event(event)
        case .registered, .offered, .hidden, .dayBefore, .hoursBefore:
            notice.registration.map(Link.registration) ?? .event(event)
        case .booked: Link.roster(of: event)
        case .asked, .answered: notice.subject.map { Link.event(event).fragment("question-\($0)") } ?? .questions(event)
        case .lapsed, .published: .event(event)
        }
    }

    var icon: Icon {
        switch what {
        case .registered, .offered: .ticket
        case .changed, .lapsed: .clock
        case .cancelled: .block
        case .hidden: detail == Notice.shownAgain ? .eye : .eyeOff
        case .dayBefore, .hoursBefore: .bell
        case .answered, .asked: .mail
        case .booked: .people
        case .published: .calendar
        }
    }

    var look: String {
        switch what {
        case .changed, .cancelled, .hidden: "change"
        case .booked, .asked, .answered: "word"
        case .registered, .offered, .lapsed, .dayBefore, .hoursBefore, .published: "in"
        }
    }

    /// Changes that were read together form one row, so that a row never returns to what its reader already knew.
    var group: String? {
        let seen = what == .changed ? notice.readAt.map { "-\($0.milliseconds)" } : nil
        return "event-\(happening.event)\(activity?.name ?? "")\(seen ?? "")"
    }
}

extension Notice.Happening {
    /// The event's name, with its date if it lasts one day.
    var name: Words { Event.name(title.words, on: schedule.onlyDay) }
}
