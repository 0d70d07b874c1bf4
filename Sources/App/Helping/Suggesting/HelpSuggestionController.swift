import Forms
import Hummingbird
import HummingbirdCore
import Templating

/// `/opportunities/suggested`: suggestions where to help.
struct HelpSuggestionController {
    let site: Site

    func index(_ context: MemberContext) throws -> Response {
        var filter = OpportunityFilter(context.query, country: site.settings.country)
        filter.preferences = context.member.preferences
        filter.room = .suggested
        let asked = filter
        let page = try site.read(at: context.now) { tx in try HelpSuggestionPage(asked, for: context.member, in: tx) }
        return context.page(Templates.helping.suggesting.suggested(page: page))
    }

    /// `POST /opportunities/less`: rejects a `tag` or an opportunity; with `undo` restores it.
    func less(_ context: MemberContext) async throws -> Response {
        guard let wish = Suggestion.Less(context.body) else { throw Refusal.malformed }
        let (account, isUndone) = (context.member.account, context.body["undo"] == "1")
        try await site.write { db in try Suggestion.less(wish, isUndone: isUndone, of: account, in: db) }
        return context.redirect(to: OpportunityFilter.Room.suggested.link, flash: isUndone ? .moreAgain : .lessOfThat)
    }
}
