import Forms
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Templating

/// `/events`: finding events.
struct EventController {
    let site: Site

    func index(_ context: PublicContext) throws -> Response {
        let feed = try site.read { db in
            let asked = try EventFilter(context, country: site.settings.country)
                .located(for: context.visit.visitor, in: db)
            let (filter, found) = try EventFilter.search(asked, in: site.settings.zone, now: context.now, db: db)
            var feed = Feed(filter, found, today: context.townDay)
            try feed.advise(beside: found, in: site.settings.zone, now: context.now, db: db)
            if let visitor = context.visit.visitor, visitor.isParent, let family = visitor.family {
                feed.forUs = filter.forUs(try Child.all(of: family.id, in: db), today: context.townDay)
            }
            return feed
        }
        return context.page(Templates.events.index(feed: feed))
    }

    /// `/events/count`: how many events the filters would find, for the button that shows them.
    func count(_ context: PublicContext) throws -> Response {
        let filter = EventFilter(context, country: site.settings.country)
        guard filter.problems.isEmpty else {
            let plain = Words("Show events").text(in: context.language)
            return context.document(["label": .string(plain)], isTranslated: true)
        }
        let tally = try site.read { db in
            try Event.tally(filter, in: site.settings.zone, now: context.now, in: db)
        }
        let label = tally.button.text(in: context.language)
        return context.document(["count": .integer(tally.count), "label": .string(label)], isTranslated: true)
    }

    func show(_ context: PublicContext) throws -> Response {
        let id: ID<Event> = try context.id()
        let visitor = context.visit.visitor
        var page: EventPage
        do {
            page = try site.read { db in
                try EventPage(
                    id, for: visitor, site.opening, programme: ProgrammeFilter(context.query),
                    questionsAfter: context.after(), at: context.now, in: db
                )
                .mapped(site.outlines, in: db)
            }
        } catch Refusal.notFound {
            // Families with places at a hidden event still have to know when it is, and whom to call.
            guard let visitor,
                let places = try site.read({ db in
                    try Registration.confirmed(of: visitor.account, at: id, in: db)
                        + Registration.confirmed(of: visitor.head, at: id, in: db)
                }).first
            else { throw Refusal.notFound }
            return context.redirect(to: .registration(places))
        }
        page.back = WayBack(to: context.visit.cameFrom)
        var response = context.page(Templates.events.show(page: page, form: page.registration()))
        try context.keepRobots(from: &response, by: page.event.host.id)
        return response
    }

    /// `/me/events`: one's own.
    /// `/me/attending`: what a member goes to, with or without a family.
    func attending(_ context: MemberContext) throws -> Response {
        let isOver = context.query["list"] == "over"
        let page = try site.read { db in
            try Event.attended(
                by: context.member, upcoming: !isOver, after: context.after(), now: context.now, in: db)
        }
        let link = Link.attending.with("list", isOver ? "over" : nil)
        return context.page(
            Templates.events.attending(isOver: isOver, events: page.items, more: page.more(at: link)))
    }

    func mine(_ context: MemberContext) throws -> Response {
        if context.query["list"] == "draft" { return try drafts(context) }
        let list = Event.OwnList(rawValue: context.query["list"] ?? "") ?? .upcoming
        let (page, undos, plan) = try site.read { db in
            (
                try Event.own(list, by: context.acting, after: context.after(), now: context.now, in: db),
                try Undo.all(.event, of: context.member.editing, at: context.now, in: db),
                try Plan.use(by: context.acting, in: context.townDay.year, db)
            )
        }
        let link = Link.ownEvents.with("list", list.rawValue)
        return context.page(
            Templates.events.own(
                list: list, events: page.items, more: page.more(at: link), plan: plan, undos: undos))
    }

    private func drafts(_ context: MemberContext) throws -> Response {
        guard !context.member.onlyLooks else { throw Refusal.notAllowed }
        let list = try site.read { db in
            try DraftList(
                .event, of: context.acting, for: context.member.account, in: context.zone, at: context.now,
                db: db)
        }
        return context.page(Templates.events.drafts(list: list))
    }

    /// `/events/{id}/flyer`: a sheet for the noticeboard.
    func flyer(_ context: PublicContext) throws -> Response {
        let event = try site.publicEvent(context.id())
        return context.page(Templates.events.flyer(flyer: Flyer(event, site: site.settings.publicURL)))
    }
}

extension EventFilter {
    /// The filters of the URL; a parent who asks for nothing begins with the own city.
    init(_ context: PublicContext, country: String) {
        self.init(context.query, country: country)
        preferences = context.visit.visitor?.preferences ?? .usual
        guard isEmpty, context.query["city"] == nil, let visitor = context.visit.visitor, visitor.isParent,
            let family = visitor.family
        else { return }
        city = family.city
        isOwnCity = true
    }
}

/// What the feed shows.
struct Feed: Sendable {
    let filter: EventFilter
    let days: [EventDay]
    /// The next page, when there is one.
    let more: Link?
    let count: Int
    /// How many there are in all, on the first page.
    var tally: Tally?
    /// What to do about it.
    var advice = Advice()
    /// What fits all children of the family that looks, near it, this weekend, with a place for each.
    var forUs: Link?

    init(_ filter: EventFilter, _ found: [EventCard], today: Day) {
        self.filter = filter
        let page = Page(found, of: Event.pageSize, by: filter.position)
        let order = filter.order
        days =
            order == .soonest
            ? EventDay.grouped(page.items, today: today, from: filter.firstDay(from: today))
            : EventDay.list(page.items, by: order)
        count = page.items.count
        if filter.after == nil, page.isLast, filter.problems.isEmpty {
            tally = Tally(count: found.count, isExact: true)
        }
        more = page.more(at: filter.firstPage.link)
    }

    var isEmpty: Bool { count == 0 }

    /// What the page is called: by its filters, as a visitor would say it.
    var heading: Words {
        switch (filter.when, filter.city.isEmpty) {
        case (.weekend, _): "What can we do this weekend?"
        case (.today, _): "What can we do today?"
        case (_, false): "\(kind, as: "events") in \(filter.city, as: "city")"
        case (_, true) where filter.event == nil && filter.circle != nil:
            "\(kind, as: "events") near \(filter.around?.match?.name ?? "", as: "place")"
        default: kind
        }
    }

    /// What kind of events they are.
    private var kind: Words {
        switch filter.audience {
        case .kids?: "Kids’ events"
        case .everyone?: "Community events"
        case nil: "Events"
        }
    }
}
