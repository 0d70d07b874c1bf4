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
        let today = try site.read(at: context.now) { tx in
            try Today(of: visitor, site.opening, on: context.today, in: context.zone, tx: tx)
        }
        switch visitor.hat {
        case .parent?:
            guard let parents = today.parents else { return context.redirect(to: .welcome) }
            return context.page(Templates.events.week.parentsToday(today: today, parents: parents))
        case .provider?:
            guard let provider = visitor.provider else { return context.redirect(to: .welcome) }
            return context.page(
                Templates.events.week.providersToday(organization: provider.organization, today: today))
        case nil: return context.page(Templates.events.week.todayWithoutHat(today: today))
        }
    }

    private func landing(_ context: PublicContext) throws -> Response {
        let events =
            site.opening.isClosed
            ? []
            : try site.read(at: context.now) { tx in
                try Event.search(EventFilter(), in: site.settings.zone, in: tx).cards
            }
        let today = context.townDay
        return context.page(
            Templates.events.week.landing(days: EventDay.grouped(events.few(on: today), today: today)))
    }

    /// `/week`: a member's plans for seven days; `as=print` is a sheet for the fridge.
    func week(_ context: MemberContext) throws -> Response {
        let country = context.member.family?.country ?? site.settings.country
        let week = Week(
            context.query["from"], today: context.today, firstDay: Weekend.firstDay(of: country), country: country)
        let page = try site.read(at: context.now) { tx in
            var page = try WeekPage(week, of: context.member, site.opening, in: context.zone, tx: tx)
            let (account, head) = (context.member.account, context.member.head)
            if try Undo.isThere(for: account, or: head, in: tx) {
                page.undos = try Set([account, head]).sorted().flatMap { account in
                    try Undo.all(.places, of: account, in: tx)
                }
                page.undos += try Undo.all(.visit, .signup, .promise, of: account, in: tx)
                    .filter { $0.kind == .visit || $0.isOwn }
            }
            if context.member.isProvider, site.opening.has(.helping) {
                page.hosted = try HostedShift.all(of: context.member.acting, on: week.days, in: tx)
            }
            if week.isThis {
                page.awaited = try Awaited.all(of: context.member, site.opening, in: tx)
            }
            return page
        }
        return context.query["as"] == "print"
            ? context.page(Templates.events.week.sheet(page: page))
            : context.keptPage(Templates.events.week.week(page: page), called: "My week")
    }
}
