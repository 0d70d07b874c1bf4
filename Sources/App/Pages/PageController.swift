import Forms
import Hummingbird
import HummingbirdCore
import Templating

/// The start page, My week, and the pages that explain the site.
struct PageController {
    let site: Site

    /// `/`: the landing page, or Today for somebody signed in.
    func home(_ context: PublicContext) throws -> Response {
        guard let visitor = context.visit.visitor else { return try landing(context) }
        switch visitor.hat {
        case .parent?:
            guard let family = visitor.family else { return context.redirect(to: Link("/welcome")) }
            return try parentsToday(context, family)
        case .provider?:
            guard let provider = visitor.provider else { return context.redirect(to: Link("/welcome")) }
            return try providersToday(context, provider)
        case nil:
            return context.page(Templates.pages.todayWithoutHat())
        }
    }

    private func landing(_ context: PublicContext) throws -> Response {
        let events = try site.read { db in
            try Event.search(EventFilter(), in: site.settings.zone, now: context.now, in: db)
        }
        return context.page(
            Templates.pages.landing(days: EventDay.grouped(Array(events.prefix(6)), today: context.today)))
    }

    private func parentsToday(_ context: PublicContext, _ family: Visitor.FamilyBadge) throws -> Response {
        let today = try site.read { db in
            let children = try Child.all(of: family.id, in: db)
            let nearby = try Event.search(
                .fitting(children, in: family.city, today: context.today), atMost: 60, in: site.settings.zone,
                now: context.now, in: db)
            let lines = try Registration.lines(of: family.id, upcoming: true, now: context.now, in: db)
            return ParentsToday(
                name: family.firstName, next: Array(lines.prefix(3)),
                changed: lines.dropFirst(3).filter { !$0.changes.isEmpty },
                hasChildren: !children.isEmpty, city: family.city,
                nearby: ParentsToday.fitting(
                    nearby, children, booked: try Commitment.all(of: family.id, from: context.now, in: db)),
                day: context.today)
        }
        return context.page(Templates.pages.parentsToday(today: today))
    }

    private func providersToday(_ context: PublicContext, _ provider: Visitor.ProviderBadge) throws -> Response {
        let events = try site.read { db in
            try Event.own(.upcoming, by: provider.id, after: nil, now: context.now, in: db)
        }
        return context.page(
            Templates.pages.providersToday(
                organization: provider.organization, events: Array(events.prefix(10))))
    }

    /// `/week`: seven days of what is booked, or for a provider of what is offered.
    func week(_ context: MemberContext) throws -> Response {
        let member = context.member
        let now = context.now
        var week = Week(context.query["from"], today: context.today)
        if member.isProvider, let provider = member.provider {
            let zone = site.settings.zone
            let events = try site.read { db in
                try week.planned {
                    try Event.own(by: provider.id, on: $0, today: context.today, in: zone, now: now, db: db)
                } next: {
                    try Event.nextDay(of: provider.id, from: $0, in: zone, now: now, db: db)
                }
            }
            return context.page(
                Templates.pages.providersWeek(days: EventDay.grouped(events, today: context.today), week: week))
        }
        var lines: [Registration.Line] = []
        if let family = member.family {
            lines = try site.read { db in
                try week.planned {
                    try Registration.lines(of: family.id, on: $0, today: context.today, now: now, in: db)
                } next: {
                    try Registration.nextDay(of: family.id, from: $0, now: now, in: db)
                }
            }
        }
        return context.page(
            Templates.pages.week(days: WeekDay.grouped(lines, today: context.today), week: week))
    }

    func settings(_ context: MemberContext) -> Response { context.page(Templates.pages.settings()) }
    func privacy(_ context: PublicContext) -> Response { context.page(Templates.pages.privacy()) }
    func about(_ context: PublicContext) -> Response { context.page(Templates.pages.about()) }
    func help(_ context: PublicContext) -> Response { context.page(Templates.pages.help()) }

    /// Every component in every state, for those who build on the site.
    func components(_ context: PublicContext) throws -> Response {
        guard site.isDemo || context.visit.visitor?.isStaff == true else { throw Refusal.notFound }
        return context.page(
            Templates.pages.components(sample: ComponentSamples(now: context.now, today: context.today)))
    }
}

/// What a parent's Today shows.
struct ParentsToday: Sendable {
    let name: String
    let next: [Registration.Line]
    /// What changed beyond the next ones, and the family hasn't seen yet.
    let changed: [Registration.Line]
    let hasChildren: Bool
    let city: String
    let nearby: [EventCard]
    let day: Day

    /// The first six events that one of the children at least could come to; without children, the first six.
    static func fitting(_ events: [EventCard], _ children: [Child], booked: [Commitment]) -> [EventCard] {
        guard !children.isEmpty else { return Array(events.prefix(6)) }
        return events.lazy.compactMap { event in
            var event = event
            event.couldCome = event.fitting(children, booked: booked).map(\.nickname)
            return event.couldCome.isEmpty ? nil : event
        }.prefix(6).map(\.self)
    }

    var days: [WeekDay] { WeekDay.grouped(next, today: day) }
    var changedDays: [WeekDay] { WeekDay.grouped(changed, today: day) }
    var nearbyDays: [EventDay] { EventDay.grouped(nearby, today: day) }
}

/// The seven days that My week shows.
struct Week: Sendable {
    let today: Day
    /// The first of them.
    private(set) var from: Day
    /// Whether somebody asked for these days.
    let isAsked: Bool
    /// Whether nothing is planned on those days, nor on any after them.
    private(set) var isLast = false

    /// - Parameter typed: The first day, as the address says it; without one it is today.
    init(_ typed: String?, today: Day) {
        self.today = today
        // Nobody plans ten years ahead.
        let asked = typed.flatMap { Day(iso: $0) }.flatMap { abs($0.number - today.number) <= 3_660 ? $0 : nil }
        from = asked ?? today
        isAsked = asked != nil
    }

    var days: Range<Day> { from..<from.advanced(by: 7) }

    /// What is planned on its days. Without anything in the next seven days the week is the one that begins with what
    /// comes next, unless somebody asked for these.
    ///
    /// - Parameters:
    ///   - list: What is planned on some days.
    ///   - next: The first day from one on with anything.
    mutating func planned<Item>(_ list: (Range<Day>) throws -> [Item], next: (Day) throws -> Day?) rethrows -> [Item] {
        var found = try list(days)
        if found.isEmpty, !isAsked, let first = try next(from) {
            from = first
            found = try list(days)
        }
        isLast = try next(days.upperBound) == nil
        return found
    }

    /// Whether days without anything lie before those shown.
    var isAhead: Bool { !isAsked && from > today }

    var name: Words {
        "\(from.name, as: "from") to \(days.upperBound.advanced(by: -1).name, as: "to")"
    }

    var next: Link? { isLast ? nil : Self.link(days.upperBound) }

    /// The seven days before, but none that are behind us: what is over has a list of its own.
    var before: Link? {
        guard isAsked, from > today else { return nil }
        let day = max(today, from.advanced(by: -7))
        return Self.link(day)
    }

    static func link(_ day: Day) -> Link { Link("/week").with("from", day.iso) }
}

/// A day of My week.
struct WeekDay: Sendable {
    let day: Day
    let heading: Words
    var lines: [Registration.Line]

    static func grouped(_ lines: [Registration.Line], today: Day) -> [WeekDay] {
        var days: [WeekDay] = []
        for line in lines {
            if days.last?.day == line.day {
                days[days.count - 1].lines.append(line)
            } else {
                days.append(WeekDay(day: line.day, heading: EventDay.heading(line.day, today), lines: [line]))
            }
        }
        return days
    }
}
