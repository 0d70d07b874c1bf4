import Forms
import Hummingbird
import HummingbirdCore
import Templating

/// `/blocks`: the people a member doesn't want to meet.
struct BlockController {
    let site: Site

    func index(_ context: MemberContext) throws -> Response {
        context.page(Templates.people.profiles.blocks(page: try page(context), form: Submission()))
    }

    /// Blocks the member with that user name, or with `undo` removes the block.
    func update(_ context: MemberContext) async throws -> Response {
        var submission = context.submission(BlockForm.self)
        let (account, isUndo) = (context.member.account, context.body["undo"] != nil)
        if let form = submission.value {
            let name = form.username.lowercased().drop { $0 == "@" }
            let found = try site.read { db in try Block.account(named: String(name), in: db) }
            switch found {
            case account?: submission.reject(\.username, "That is you.")
            case nil: submission.reject(\.username, "Nobody here has this user name.")
            case let other?:
                try await site.write(at: context.now) { tx in
                    if isUndo {
                        try Block.remove(other, by: account, in: tx)
                    } else {
                        try Block.add(other, by: account, in: tx)
                    }
                }
                return context.redirect(to: context.next ?? .blocks, flash: isUndo ? .unblocked : .blocked)
            }
        }
        return context.again(Templates.people.profiles.blocks(page: try page(context), form: submission))
    }

    private func page(_ context: MemberContext) throws -> BlocksPage {
        BlocksPage(try site.read { db in try Block.all(by: context.member.account, after: context.after(), in: db) })
    }
}
