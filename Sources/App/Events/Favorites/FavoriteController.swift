import Forms
import Hummingbird
import HummingbirdCore
import Templating

/// `/favorites`, and the save button on the pages of events and opportunities.
struct FavoriteController {
    let site: Site

    func index(_ context: MemberContext) throws -> Response {
        let list = try site.read(at: context.now) { tx in
            try FavoriteList(
                of: context.member.account, isOver: context.query["list"] == "over", eventsAfter: context.after(),
                helpAfter: context.after(.help), hasHelp: site.opening.has(.helping), in: tx)
        }
        return context.page(Templates.events.favorites.index(list: list))
    }

    func saveEvent(_ context: MemberContext) async throws -> Response {
        let id: ID<Event> = try context.id()
        return try await save(.event(id), context, backTo: .event(id))
    }

    func saveOpportunity(_ context: MemberContext) async throws -> Response {
        let id: ID<Opportunity> = try context.id()
        return try await save(.opportunity(id), context, backTo: .opportunity(id))
    }

    private func save(_ favorite: Favorite, _ context: MemberContext, backTo page: Link) async throws -> Response {
        let (account, isOn) = (context.member.account, context.body["on"] != "0")
        let isDone = try await site.write(at: context.now) { tx in
            guard !isOn else { return try favorite.save(by: account, in: tx) }
            try favorite.remove(by: account, in: tx)
            return true
        }
        // Its page explains that it was canceled, is over, or doesn't exist.
        return context.redirect(to: isDone ? context.next ?? page : page)
    }
}
