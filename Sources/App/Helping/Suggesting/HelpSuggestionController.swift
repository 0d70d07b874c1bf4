import Forms
import Hummingbird
import HummingbirdCore
import Templating

/// `/opportunities/suggested`: where somebody may want to help.
struct HelpSuggestionController {
    let site: Site

    func index(_ context: MemberContext) throws -> Response {
        var filter = OpportunityFilter(context.query, country: site.settings.country)
        filter.preferences = context.member.preferences
        filter.room = .suggested
        let asked = filter
        let page = try site.read { db in
            try HelpSuggestionPage(asked, for: context.member, at: context.now, in: db)
        }
        return context.page(Templates.helping.suggesting.suggested(page: page))
    }

    /// `POST /opportunities/less`: less of a `tag` or a way to help; with `undo` it may come again.
    func less(_ context: MemberContext) async throws -> Response {
        let tag = context.body["tag"].flatMap { Tag.list($0).first }
        guard tag.map({ $0.count <= Tag.mostCharacters }) ?? true else { throw Refusal.malformed }
        let help = context.body["opportunity"].flatMap { ID<Opportunity>($0) }
        let wish: Suggestion.Less
        switch (tag, help) {
        case (let tag?, nil): wish = .tag(tag)
        case (nil, let help?): wish = .help(help)
        default: throw Refusal.malformed
        }
        let (account, isUndone) = (context.member.account, context.body["undo"] == "1")
        try await site.write { db in try Suggestion.less(wish, isUndone: isUndone, of: account, in: db) }
        return context.redirect(to: OpportunityFilter.Room.suggested.link, flash: isUndone ? .moreAgain : .lessOfThat)
    }
}
