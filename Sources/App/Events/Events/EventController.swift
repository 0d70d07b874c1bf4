import Forms
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Templating

/// `/events`: finding events.
struct EventController {
    let site: Site

    func index(_ context: PublicContext) throws -> Response {
        let feed = try site.read(at: context.now) { tx in
            let asked = try EventFilter(context, country: site.settings.country)
                .located(for: context.visit.visitor, in: tx)
            let (filter, found) = try EventFilter.search(asked, in: site.settings.zone, tx: tx)
            var feed = Feed(filter, found, today: context.townDay)
            try feed.advise(beside: found, in: site.settings.zone, tx: tx)
            if let visitor = context.visit.visitor, visitor.isParent, let family = visitor.family {
                feed.forUs = filter.forUs(try Child.all(of: family.id, in: tx), today: context.townDay)
            }
            feed.saving = try SavedSearch.Offer(filter, to: context.visit.visitor, on: context.townDay, in: tx)
            return feed
        }
        return context.page(Templates.events.index(feed: feed))
    }

    /// `/events/count`: the number of matching events, for the button that shows them.
    func count(_ context: PublicContext) throws -> Response {
        let filter = EventFilter(context, country: site.settings.country)
        guard filter.problems.isEmpty else {
            let plain = Words("Show events").text(in: context.language)
            return context.document(["label": .string(plain)], isTranslated: true)
        }
        let tally = try site.read(at: context.now) { tx in try Event.tally(filter, in: site.settings.zone, in: tx) }
        let label = tally.button.text(in: context.language)
        return context.document(["count": .integer(tally.count), "label": .string(label)], isTranslated: true)
    }

    func show(_ context: PublicContext) throws -> Response {
        let id: ID<Event> = try context.id()
        let visitor = context.visit.visitor
        var page: EventPage
        do {
            page = try site.read(at: context.now) { tx in
                try site.eventPage(
                    id, for: visitor, programme: ProgrammeFilter(context.query), questionsAfter: context.after(), in: tx
                )
                .mapped(site.outlines, in: tx)
            }
        } catch Refusal.notFound {
            // Families with places at a hidden event must still know its time, and whom to call.
            guard let visitor,
                let places = try site.read({ db in
                    try Registration.confirmed(of: visitor.account, at: id, in: db)
                        + Registration.confirmed(of: visitor.head, at: id, in: db)
                }).first
            else { throw Refusal.notFound }
            return context.redirect(to: .registration(places))
        }
        page.back = WayBack(to: context.visit.cameFrom)
        return try context.page(
            Templates.events.show(page: page, form: page.registration()), by: page.event.host.id)
    }

    /// `/me/attending`: the events a member attends, with or without a family.
    func attending(_ context: MemberContext) throws -> Response {
        let isOver = context.query["list"] == "over"
        let page = try site.read(at: context.now) { tx in
            try Event.attended(by: context.member, upcoming: !isOver, after: context.after(), in: tx)
        }
        let link = Link.attending.with("list", isOver ? "over" : nil)
        return context.page(
            Templates.events.attending(isOver: isOver, events: page.items, more: page.more(at: link)))
    }

    /// `/me/events`: one's own events.
    func mine(_ context: MemberContext) throws -> Response {
        if context.query["list"] == "draft" { return try drafts(context) }
        let asked = OwnSearch(context.query)
        let (found, undos, plan) = try site.read(at: context.now) { tx in
            (
                try asked.events(of: context.acting, with: context.member.hostingAlso, after: context.after(), in: tx),
                try Undo.all(.event, of: context.member.editing, in: tx),
                try Plan.use(by: context.acting, in: context.townDay.year, tx)
            )
        }
        return context.page(
            Templates.events.own(
                search: found.search, events: found.page.items, more: found.page.more(at: found.search.link),
                plan: plan, undos: undos))
    }

    /// `/me/events/calendar`: one's own events by month.
    func month(_ context: MemberContext) throws -> Response {
        let country = site.settings.country
        var month = OwnMonth(
            context.query["from"], today: context.townDay, firstDay: Weekend.firstDay(of: country), country: country)
        let page = try site.read(at: context.now) { [month] tx in
            try Event.own(
                by: context.acting, with: context.member.hostingAlso, in: month, of: site.settings.zone,
                after: context.after(), tx: tx)
        }
        month.events = page.items
        month.more = page.more(at: month.link)
        return context.page(Templates.events.month(month: month))
    }

    private func drafts(_ context: MemberContext) throws -> Response {
        guard !context.member.onlyLooks else { throw Refusal.notAllowed }
        let list = try site.read(at: context.now) { tx in
            let undos = try Undo.all(.draft, of: context.acting, in: tx)
            return try DraftList(
                .event, of: context.acting, for: context.member.account, undos: undos, in: context.zone, db: tx)
        }
        let words = OwnSearch.words(context.query)
        return context.page(Templates.events.drafts(list: list.named(words), words: words))
    }

    /// `/events/{id}/flyer`: a printable sheet for noticeboards.
    func flyer(_ context: PublicContext) throws -> Response {
        let event = try site.publicEvent(context.id())
        return context.page(Templates.events.flyer(flyer: Flyer(event, site: site.settings.publicURL))).unlisted
    }
}

extension EventFilter {
    /// The filters in the URL; a parent without any starts with their own city.
    init(_ context: PublicContext, country: String) {
        self.init(context.query, country: country)
        today = context.townDay
        preferences = context.visit.visitor?.preferences ?? .usual
        guard isEmpty, context.query["city"] == nil, let visitor = context.visit.visitor, visitor.isParent,
            let family = visitor.family
        else { return }
        city = family.city
        isOwnCity = true
    }
}
