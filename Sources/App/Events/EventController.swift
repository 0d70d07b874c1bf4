import Forms
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Templating

/// `/events`: finding and announcing kids' events.
struct EventController {
    let site: Site

    func index(_ context: PublicContext) throws -> Response {
        let filter = EventFilter(context, monthFirst: site.settings.country == "US")
        let found = try site.read { db in
            try Event.search(filter, in: site.settings.zone, now: context.now, in: db)
        }
        return context.page(Templates.events.index(feed: Feed(filter, found, today: context.today)))
    }

    func show(_ context: PublicContext) throws -> Response {
        let id: ID<Event> = try context.id()
        let page = try site.read { db in try EventPage(id, for: context.visit.visitor, at: context.now, in: db) }
        return context.page(Templates.events.show(page: page, form: page.registration()))
    }

    func new(_ context: ProviderContext) throws -> Response {
        var submission = Submission<EventForm>()
        let account = context.member.account
        if let provider = try site.read({ db in try Provider.find(of: account, in: db) }) {
            // Most events are where the provider is.
            submission.fill(\.country, provider.address.country)
            submission.fill(\.street, provider.address.street)
            submission.fill(\.city, provider.address.city)
            submission.fill(\.state, provider.address.state)
            submission.fill(\.zip, provider.address.zip)
        }
        return context.page(Templates.events.new(form: submission))
    }

    /// One form, three buttons: edit, preview, publish.
    func create(_ context: ProviderContext) async throws -> Response {
        var submission = context.submission(EventForm.self)
        let zone = site.settings.zone
        let currency = site.currency
        let now = context.now
        submission.form.check(&submission, zone: zone, currency: currency, now: now)
        guard submission.step != .edit else { return context.page(Templates.events.new(form: submission)) }
        guard let form = submission.value else { return context.again(Templates.events.new(form: submission)) }
        guard let host = try site.read({ db in try Event.host(context.provider, in: db) }) else {
            throw Refusal.notFound
        }
        let event = form.preview(by: host, zone: zone, currency: currency)
        guard submission.step == .publish else {
            return context.page(Templates.events.preview(page: EventPage(preview: event), form: submission))
        }
        let once = submission.once
        let outcome = try await site.write { db in try Event.publish(event, once: once, at: now, in: db) }
        switch outcome {
        case .new(let id), .already(let id, isSame: true):
            return context.redirect(to: .event(id) / "published")
        case .already(let id, isSame: false):
            return context.page(Templates.events.already(link: .event(id)), status: .conflict)
        }
    }

    func published(_ context: ProviderContext) throws -> Response {
        let event = try own(context)
        return context.page(Templates.events.published(event: event))
    }

    /// `/me/events`: the provider's own.
    func mine(_ context: ProviderContext) throws -> Response {
        let list = Event.OwnList(rawValue: context.query["list"] ?? "") ?? .upcoming
        let after = EventFilter.Cursor(context.query["after"] ?? "")
        let events = try site.read { db in
            try Event.own(list, by: context.provider, after: after, now: context.now, in: db)
        }
        let page = Array(events.prefix(Event.pageSize))
        let link = Link("/me/events").with("list", list.rawValue)
        let more =
            events.count > Event.pageSize ? page.last.map { link.with("after", EventFilter.Cursor($0).text) } : nil
        return context.page(
            Templates.events.own(list: list, days: EventDay.grouped(page, today: context.today), more: more))
    }

    /// `/events/{id}/registrations`: who comes. Only its provider sees it.
    func roster(_ context: ProviderContext) throws -> Response {
        let event = try own(context)
        let parties = try site.read { db in try Registration.roster(of: event.id, in: db) }
        return context.page(Templates.events.roster(event: event, parties: parties))
    }

    private func own(_ context: ProviderContext) throws -> Event {
        let id: ID<Event> = try context.id()
        guard let event = try site.read({ db in try Event.find(id, in: db) }), event.provider.id == context.provider
        else { throw Refusal.notFound }
        return event
    }
}

extension EventFilter {
    /// The filters of the URL; a parent who asks for nothing begins with the own city.
    init(_ context: PublicContext, monthFirst: Bool) {
        self.init(context.query, monthFirst: monthFirst)
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

    init(_ filter: EventFilter, _ found: [EventCard], today: Day) {
        self.filter = filter
        let page = found.prefix(Event.pageSize)
        days = EventDay.grouped(page, today: today)
        count = page.count
        var next = filter
        next.after = page.last.map { EventFilter.Cursor($0) }
        more = found.count > Event.pageSize ? next.link : nil
    }

    var isEmpty: Bool { count == 0 }

    /// What the page is called: by its filters, as a visitor would say it.
    var heading: Words {
        switch (filter.when, filter.city.isEmpty) {
        case (.weekend, _): "What can we do this weekend?"
        case (.today, _): "What can we do today?"
        case (_, false): "Kids’ events in \(filter.city, as: "city")"
        default: "Kids’ events"
        }
    }
}
