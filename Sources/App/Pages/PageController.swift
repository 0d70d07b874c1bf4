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

    /// `/week`: what is booked, or for a provider what is offered, in order.
    func week(_ context: MemberContext) throws -> Response {
        let member = context.member
        if member.isProvider, let provider = member.provider {
            let events = try site.read { db in
                try Event.own(.upcoming, by: provider.id, after: nil, now: context.now, in: db)
            }
            return context.page(
                Templates.pages.providersWeek(days: EventDay.grouped(events, today: context.today)))
        }
        let lines =
            try member.family.map { family in
                try site.read { db in
                    try Registration.lines(of: family.id, upcoming: true, now: context.now, in: db)
                }
            } ?? []
        return context.page(Templates.pages.week(days: WeekDay.grouped(lines, today: context.today)))
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
