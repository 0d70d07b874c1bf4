import Forms
import Hummingbird
import HummingbirdCore
import Templating

/// `/tags`: the words events are tagged with.
struct TagController {
    let site: Site

    /// The most used tags, or those that begin so: a page with links, or JSON where a script asks.
    func index(_ context: PublicContext) throws -> Response {
        let typed = String((context.query["q"] ?? "").lowercased().prefix(30))
        let tags = try site.read { db in try Tag.suggestions(for: typed, in: db) }
        let response =
            context.visit.wantsJSON
            ? context.document(["items": .array(tags.map { .string($0) })])
            : context.page(Templates.events.tags(tags: tags))
        return response.varyingByAccept
    }
}
