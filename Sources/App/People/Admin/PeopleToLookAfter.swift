import Forms
import Templating

/// `/admin/people`: members found by name, or the newest first.
struct PeopleToLookAfter: Sendable {
    let search: Search
    let people: [Account]
    let more: Link?
    let first: Link?

    /// Filters for members with a problem.
    enum Only: String, CaseIterable, Sendable {
        case suspended
        /// Mail to their address doesn't arrive.
        case refused

        var name: Words {
            switch self {
            case .suspended: "Suspended"
            case .refused: "Letters don’t arrive"
            }
        }

        /// The message for an empty list.
        var none: Words {
            switch self {
            case .suspended: "No account is suspended."
            case .refused: "Letters arrive at all addresses, as far as anybody knows."
            }
        }
    }

    /// The search parameters.
    struct Search: Sendable {
        /// The beginnings of names; or `@spam.example` for a mail domain.
        let words: String
        let only: Only?
        /// Whether the newest members come first.
        let isNewest: Bool
        let inviter: ID<Account>?
        /// Whether all shown members are preselected.
        let choosesAll: Bool
        /// The position in the list sorted by user name, or in the one sorted by age.
        let afterName: Cursor<String>?
        let afterNewest: Cursor<ID<Account>>?

        init(_ query: FormBody) {
            words = query["q"] ?? ""
            only = query["only"].flatMap { Only(rawValue: $0) }
            inviter = query["inviter"].flatMap { ID<Account>($0) }
            isNewest = query["sort"] == "newest" || words.hasPrefix("@") || inviter != nil
            choosesAll = query["choose"] == "all"
            afterName = isNewest ? nil : Cursor(in: query)
            afterNewest = isNewest ? Cursor(in: query) : nil
        }

        var isFirst: Bool { afterName == nil && afterNewest == nil }

        var domain: MailDomain? { words.hasPrefix("@") ? MailDomain(words) : nil }

        var link: Link {
            Link.adminPeople.with("q", words.nonEmpty)
                .with("only", only?.rawValue)
                .with("sort", isNewest && domain == nil && inviter == nil ? "newest" : nil)
                .with("inviter", inviter.map { "\($0)" })
        }
    }

    init(_ search: Search, _ page: Page<Account>) {
        self.search = search
        people = page.items
        more = page.more(at: search.link)
        first = search.isFirst ? nil : search.link
    }

    /// A link that selects all of them.
    var all: Link { search.link.with("choose", "all") }
}
