import Forms
import Hummingbird
import HummingbirdCore
import Templating

/// `/searches`: the filters of the list of events that a member saved, and the one letter about them.
struct SavedSearchController {
    let site: Site

    func index(_ context: MemberContext) throws -> Response {
        let member = context.member
        let arrives = site.settings.smtp != nil && member.reach.takes(.searched)
        let list = try site.read { db in
            try SavedSearchList(
                of: member, arrives: arrives, in: site.settings.country, on: context.townDay, db: db)
        }
        return context.page(Templates.events.saving.searches(list: list))
    }

    func create(_ context: MemberContext) async throws -> Response {
        guard let typed = context.body["query"],
            let query = SavedSearch.query(typed: typed, in: site.settings.country, on: context.townDay)
        else { throw Refusal.malformed }
        let (account, now) = (context.member.account, context.now)
        let letter = SearchLetter.due(after: now, in: context.zone)
        let isSaved = try await site.write { db in
            try SavedSearch.save(query, by: account, letter: letter, at: now, in: db)
        }
        guard isSaved else {
            return context.visit.errorPage(
                .conflict, "You have \(SavedSearch.most, as: "count") saved searches already",
                "Remove one that you don’t need anymore, then save this one.",
                link: (.searches, "See your saved searches"))
        }
        return context.redirect(to: .searches, flash: .saved)
    }

    /// Leads on to what a search finds. The address of a letter’s link says nothing of the filters.
    func show(_ context: MemberContext) throws -> Response {
        let id: ID<SavedSearch> = try context.id()
        let (account, preferences) = (context.member.account, context.member.preferences)
        guard let search = try site.read({ db in try SavedSearch.find(id, of: account, in: db) }) else {
            throw Refusal.notFound
        }
        let filter = search.filter(in: site.settings.country, preferences)
        return context.redirect(to: filter.link { $0.sort = .newest })
    }

    /// The same twice is once; what somebody else saved stays.
    func remove(_ context: MemberContext) async throws -> Response {
        let id: ID<SavedSearch> = try context.id()
        let account = context.member.account
        try await site.write { db in try SavedSearch.remove(id, of: account, in: db) }
        return context.redirect(to: context.next ?? .searches)
    }

    /// Whether a letter comes; what one chooses among all notifications is the same.
    func setLetter(_ context: MemberContext) async throws -> Response {
        let (account, isOn) = (context.member.account, context.body["on"] != "0")
        try await site.writeQuietly { db in try Notice.choose(.searched, .mail, isOn, by: account, in: db) }
        return context.redirect(to: .searches, flash: .saved)
    }
}
