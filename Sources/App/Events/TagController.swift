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
        if context.visit.wantsJSON { return context.document(["items": .array(tags.map { .string($0) })]) }
        return context.page(Templates.events.tags(tags: tags))
    }
}
