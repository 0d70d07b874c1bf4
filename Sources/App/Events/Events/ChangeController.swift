import Hummingbird
import HummingbirdCore
import Templating

/// `/changes/{id}`: what changed, for the families it concerns and the host.
struct ChangeController {
    let site: Site

    /// A family that looks has seen it.
    func show(_ context: MemberContext) async throws -> Response {
        let id: ID<Change> = try context.id()
        let account = context.member.account
        let now = context.now
        var page = try site.read { db in try ChangePage(id, for: account, in: db) }
        if page.isConcerned {
            try await site.writeQuietly { db in try Change.see(edit: id, by: account, at: now, in: db) }
            page = try site.read { db in try ChangePage(id, for: account, in: db) }
        }
        return context.page(Templates.events.changes(page: page))
    }
}
