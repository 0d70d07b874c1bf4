import Forms
import Hummingbird
import HummingbirdCore
import Templating

/// Suggested and popular events.
struct SuggestionController {
    let site: Site

    /// `/events/for-you`.
    func index(_ context: PublicContext) throws -> Response {
        let visitor = context.visit.visitor
        let page = try site.read(at: context.now) { tx in try SuggestionPage(for: visitor?.account, in: tx) }
        return context.page(Templates.events.suggesting.forYou(page: page)).unlisted
    }

    /// `POST /events/less`: rejects a `tag` or an `event`; with `undo` restores it.
    func less(_ context: MemberContext) async throws -> Response {
        guard let wish = Suggestion.Less(context.body) else { throw Refusal.malformed }
        let isUndone = context.body["undo"] == "1"
        let account = context.member.account
        try await site.write { db in
            try Suggestion.less(wish, isUndone: isUndone, of: account, in: db)
        }
        return context.redirect(to: .eventsForYou, flash: isUndone ? .moreAgain : .lessOfThat)
    }
}
