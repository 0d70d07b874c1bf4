import Hummingbird
import HummingbirdCore
import Templating

/// `/changes/{id}`: changes, for affected families and the host.
struct ChangeController {
    let site: Site

    /// Viewing the page marks the changes as seen.
    func show(_ context: MemberContext) async throws -> Response {
        let id: ID<Change> = try context.id()
        let (account, head) = (context.member.account, context.member.head)
        let host = try site.read { db in
            guard let event = try Change.event(of: id, in: db) else { return context.acting }
            return try Cohost.acting(context.member, at: event, in: db)
        }
        var page = try site.read { db in try ChangePage(id, for: account, of: head, announcing: host, in: db) }
        if page.isConcerned {
            // It shows the current state of each date.
            let seen = page.dates
            try await site.writeQuietly(at: context.now) { tx in
                for date in seen {
                    for one in Set([account, head]) {
                        try Change.see(date.event.id, upTo: date.last, by: one, in: tx)
                    }
                }
            }
            if page.receipt != nil {
                page = try site.read { db in try ChangePage(id, for: account, of: head, announcing: host, in: db) }
            }
        }
        return context.page(Templates.events.changes(page: page))
    }
}
