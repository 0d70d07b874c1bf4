import Forms
import Hummingbird
import HummingbirdCore
import Templating

/// `/searches`: a member's saved searches, and the weekly letter about them.
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
        let isSaved = try await site.write(at: now) { tx in
            try SavedSearch.save(query, by: account, letter: letter, in: tx)
        }
        guard isSaved else {
            return context.visit.errorPage(
                .conflict, "You have \(SavedSearch.most, as: "count") saved searches already",
                "Remove one that you don’t need anymore, then save this one.",
                link: (.searches, "See your saved searches"))
        }
        return context.redirect(to: .searches, flash: .saved)
    }

    /// Redirects to a search's results. The address in a letter doesn't contain the filters.
    func show(_ context: MemberContext) throws -> Response {
        let id: ID<SavedSearch> = try context.id()
        let (account, preferences) = (context.member.account, context.member.preferences)
        guard let search = try site.read({ db in try SavedSearch.find(id, of: account, in: db) }) else {
            throw Refusal.notFound
        }
        let filter = search.filter(in: site.settings.country, preferences)
        return context.redirect(to: filter.link { $0.sort = .newest })
    }

    /// Removing twice has no further effect, and only one's own can be removed.
    func remove(_ context: MemberContext) async throws -> Response {
        let id: ID<SavedSearch> = try context.id()
        let account = context.member.account
        try await site.write { db in try SavedSearch.remove(id, of: account, in: db) }
        return context.redirect(to: context.next ?? .searches)
    }

    /// Turns the letter on or off; it is the same setting as in the notification preferences.
    func setLetter(_ context: MemberContext) async throws -> Response {
        let (account, isOn) = (context.member.account, context.body["on"] != "0")
        try await site.writeQuietly { db in try Notice.choose(.searched, .mail, isOn, by: account, in: db) }
        return context.redirect(to: .searches, flash: .saved)
    }
}
