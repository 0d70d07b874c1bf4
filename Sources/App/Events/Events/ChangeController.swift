import Hummingbird
import HummingbirdCore
import Templating

/// `/changes/{id}`: what changed, for the families it concerns and the host.
struct ChangeController {
    let site: Site

    /// A family that looks has seen it.
    func show(_ context: MemberContext) async throws -> Response {
        let id: ID<Change> = try context.id()
        let (account, head) = (context.member.account, context.member.head)
        let now = context.now
        var page = try site.read { db in try ChangePage(id, for: account, of: head, in: db) }
        if page.isConcerned {
            try await site.writeQuietly { db in
                for one in Set([account, head]) { try Change.see(edit: id, by: one, at: now, in: db) }
            }
            page = try site.read { db in try ChangePage(id, for: account, of: head, in: db) }
        }
        return context.page(Templates.events.changes(page: page))
    }
}
