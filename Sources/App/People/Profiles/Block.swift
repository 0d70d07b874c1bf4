import Forms
import Templating

/// Somebody whom a member doesn't want to meet: from then on neither reads what the other writes, and neither is told.
struct Block: Sendable {
    let blocked: Author
    let username: String

    /// Blocks a page.
    static let pageSize = 50
}

/// `/blocks`: whom a member blocked.
struct BlocksPage: Sendable {
    let blocks: [Block]
    let more: Link?
    let isFirst: Bool

    init(_ page: Page<Block>, isFirst: Bool) {
        blocks = page.items
        more = page.more(at: .blocks)
        self.isFirst = isFirst
    }
}

/// Blocking somebody, by the name in the address of their page.
struct BlockForm: Form {
    var username = ""

    static let fields: [Field<BlockForm>] = [
        .text("username", \.username, "User name", 1...31).autocomplete("off")
            .hint("It is part of the address of their page.").missing("Give the user name.")
    ]
}
