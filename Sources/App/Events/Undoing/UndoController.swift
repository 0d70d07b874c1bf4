import Forms
import Hummingbird
import HummingbirdCore

/// `POST /undo/{id}`: takes back what one gave back, removed or threw away.
struct UndoController {
    let site: Site

    func create(_ context: MemberContext) async throws -> Response {
        let id: ID<Undo> = try context.id()
        let (account, head) = (context.member.account, context.member.head)
        let now = context.now
        do {
            let taken = try await site.write { db in try Undo.take(id, of: account, head, at: now, in: db) }
            return context.redirect(to: taken.undo.link, flash: taken.outcome.flash)
        } catch let refused as Undo.Refused {
            return context.visit.errorPage(.conflict, "It can’t be taken back", refused.words)
        }
    }
}
