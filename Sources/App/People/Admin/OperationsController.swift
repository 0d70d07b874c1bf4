import Forms
import Hummingbird
import HummingbirdCore
import Templating

/// `/admin/operations`: the state of the machine.
struct OperationsController {
    let site: Site

    func show(_ context: AdminContext) async throws -> Response {
        let counted = try await site.readSlowly { db in try Operations.count(in: db) }
        return context.page(Templates.people.admin.operations(page: site.operations(counted, at: context.now)))
    }
}
