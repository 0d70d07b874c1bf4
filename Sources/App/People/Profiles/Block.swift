import Forms
import Templating

/// A member whom another doesn't want to meet: neither can read what the other writes, and neither is told.
struct Block: Sendable {
    let blocked: Author
    let username: String
    /// The organization of that account, by which they may be known instead.
    let organization: String?

    /// Blocks per page.
    static let pageSize = 50
}

/// `/blocks`: the people a member blocked.
struct BlocksPage: Sendable {
    let blocks: [Block]
    let more: Link?

    init(_ page: Page<Block>) {
        blocks = page.items
        more = page.more(at: .blocks)
    }
}

/// The form to block a member, by the user name in their page's address.
struct BlockForm: Form {
    var username = ""

    static let fields: [Field<BlockForm>] = [
        .text("username", \.username, "User name", 1...31).autocomplete("off")
            .hint("It is part of the address of their page.").missing("Give the user name.")
    ]
}
