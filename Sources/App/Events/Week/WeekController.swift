import Forms
import Hummingbird
import HummingbirdCore
import Templating

/// The start page, and My week.
struct WeekController {
    let site: Site

    /// `/`: the landing page, or Today for a signed-in member.
    func home(_ context: PublicContext) throws -> Response {
        guard let visitor = context.visit.visitor else { return try landing(context) }
        let around = try site.read { db in
            try Around(
                of: visitor, site.opening, on: context.today, in: context.zone, at: context.now, db: db)
        }
        switch visitor.hat {
        case .parent?:
            guard let family = visitor.family else { return context.redirect(to: .welcome) }
            return try parentsToday(context, family, of: visitor, around)
        case .provider?:
            guard let provider = visitor.provider else { return context.redirect(to: .welcome) }
            return try providersToday(context, provider, of: visitor, around)
        case nil:
            return context.page(
                Templates.events.week.todayWithoutHat(
                    around: around, hosting: try hosting(of: visitor, around, context),
                    awaited: try awaited(of: visitor, context),
                    kindness: try kindness(of: visitor.account, context),
                    planned: planned(around, context),
                    helping: try helping(of: visitor.account, around, context)))
        }
    }

    private func landing(_ context: PublicContext) throws -> Response {
        let events =
            site.opening.isClosed
            ? []
            : try site.read { db in
                try Event.search(EventFilter(), in: site.settings.zone, now: context.now, in: db)
            }
        let today = context.townDay
        return context.page(
            Templates.events.week.landing(days: EventDay.grouped(events.few(on: today), today: today)))
    }

    private func parentsToday(
        _ context: PublicContext, _ family: Visitor.FamilyBadge, of visitor: Visitor, _ around: Around
    ) throws -> Response {
        let today = try site.read { db in
            let children = try Child.all(of: family.id, in: db)
            let nearby = try Event.search(
                .fitting(children, in: family.city, today: context.today), atMost: 60, in: context.zone,
                now: context.now, in: db)
            let lines = try Registration.lines(
                of: visitor.account, head: visitor.head, upcoming: true, day: context.today,
                knowing: around.changes, now: context.now, in: db
            ).items.filter { !around.has($0) }
            let ahead = lines.filter { !$0.isOver(at: context.now) }
            let next = Array(Registration.Line.courses(ahead).prefix(3))
            let shown = Set(next.flatMap { [$0.id] + $0.later.map(\.id) })
            return ParentsToday(
                name: family.firstName, around: around,
                offers: try Registration.waiting(of: visitor.head, now: context.now, in: db)
                    .filter { $0.state == .offered || $0.lastOffer != nil },
                asked: children.isEmpty ? [] : try OpenQuestions.all(of: visitor.head, at: context.now, in: db),
                earlier: lines.filter { $0.isOver(at: context.now) }, next: next,
                changed: ahead.filter { !shown.contains($0.id) && !$0.changes.isEmpty },
                hasChildren: !children.isEmpty, city: family.city,
                nearby: ParentsToday.fitting(
                    nearby, children, booked: try Commitment.all(of: visitor.head, from: context.now, in: db),
                    today: context.today),
                day: context.today)
        }
        return context.page(
            Templates.events.week.parentsToday(
                today: today, hosting: try hosting(of: visitor, around, context),
                awaited: try awaited(of: visitor, context),
                kindness: try kindness(of: visitor.account, context),
                planned: planned(around, context),
                helping: try helping(of: visitor.account, around, context)))
    }

    private func kindness(of account: ID<Account>, _ context: PublicContext) throws -> TodaysKindness {
        let (now, zone) = (context.now, context.zone)
        return TodaysKindness(
            try site.read { db in try MyKindness(of: account, at: now, in: zone, db) }, at: now, in: zone)
    }

    /// The next community events hosted by a member without the provider's hat.
    private func hosting(
        of visitor: Visitor, _ around: Around, _ context: some Context
    ) throws -> [OwnEvent] {
        let events = try site.read { db in
            try Event.own(
                OwnSearch(audience: .everyone, isApart: true), by: visitor.account, and: around.shared, after: nil,
                now: context.now, in: db
            ).items
        }
        return Array(events.filter { !around.has($0.card) }.prefix(5))
    }

    /// The requests waiting for a visitor's answer.
    private func awaited(of visitor: Visitor, _ context: some Context) throws -> [Awaited] {
        try site.read { db in try Awaited.all(of: visitor, site.opening, at: context.now, in: db) }
    }

    /// What a member helps with next.
    private func helping(of account: ID<Account>, _ around: Around, _ context: some Context) throws -> Helping {
        try site.read { db in
            let (helps, meets) = (site.opening.has(.helping), site.opening.has(.needs))
            return Helping(
                signups: helps
                    ? try Signup.ahead(of: account, at: context.now, in: db).items.filter { !around.has($0) } : [],
                // Today names none.
                promises: .empty,
                claims: meets ? try Claim.lines(of: account, in: context.zone, db: db) : .empty,
                threads: try TalkThread.unread(of: account, about: site.opening.modules, in: db))
        }
    }

    private func providersToday(
        _ context: PublicContext, _ provider: Visitor.ProviderBadge, of visitor: Visitor, _ around: Around
    ) throws -> Response {
        let events = try site.read { db in
            try Event.own(
                OwnSearch(isApart: true), by: visitor.acting, and: around.shared, after: nil, now: context.now, in: db
            ).items.filter { !around.has($0.card) }
        }
        let (account, zone, meets) = (visitor.account, context.zone, site.opening.has(.needs))
        let gaps = try site.read { db in
            // Those that begin sooner are shown above, among current plans.
            try site.opening.has(.helping)
                ? HostedShift.gaps(of: visitor.acting, after: context.now + Schedule.margin, in: db) : []
        }
        return context.page(
            Templates.events.week.providersToday(
                organization: provider.organization, around: around, events: Array(events.prefix(10)),
                awaited: try awaited(of: visitor, context), gaps: gaps,
                kindness: try kindness(of: visitor.account, context),
                planned: planned(around, context),
                claims: meets ? try site.read { db in try Claim.lines(of: account, in: zone, db: db) } : .empty,
                threads: try site.read { db in
                    try TalkThread.unread(of: account, about: site.opening.modules, in: db)
                }))
    }

    /// The meetings that aren't shown above.
    private func planned(_ around: Around, _ context: some Context) -> PlannedMeetings {
        PlannedMeetings(around.meetings.filter { !around.has($0) }, at: context.now, in: context.zone)
    }

    /// `/week`: a member's plans for seven days; `as=print` is a sheet for the fridge.
    func week(_ context: MemberContext) throws -> Response {
        let country = context.member.family?.country ?? site.settings.country
        let week = Week(
            context.query["from"], today: context.today, firstDay: Weekend.firstDay(of: country), country: country)
        let page = try site.read { db in
            var page = try WeekPage(
                week, of: context.member, site.opening, in: context.zone, at: context.now, db: db)
            page.undos = try Set([context.member.account, context.member.head]).sorted().flatMap { account in
                try Undo.all(.places, of: account, at: context.now, in: db)
            }
            page.undos += try [Undo.Kind.visit, .signup, .promise].flatMap { kind in
                try Undo.all(kind, of: context.member.account, at: context.now, in: db)
                    .filter { kind == .visit || $0.isOwn }
            }
            if context.member.isProvider, site.opening.has(.helping) {
                page.hosted = try HostedShift.all(of: context.member.acting, on: week.days, in: db)
            }
            if week.isThis {
                page.awaited = try Awaited.all(of: context.member, site.opening, at: context.now, in: db)
            }
            return page
        }
        return context.query["as"] == "print"
            ? context.page(Templates.events.week.sheet(page: page))
            : context.keptPage(Templates.events.week.week(page: page), called: "My week")
    }
}
