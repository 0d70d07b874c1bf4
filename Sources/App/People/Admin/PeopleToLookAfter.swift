import Forms
import Templating

/// `/admin/people`: the members, found by their names, or the newest first.
struct PeopleToLookAfter: Sendable {
    let search: Search
    let people: [Account]
    let more: Link?
    let first: Link?

    /// Those whom something is the matter with.
    enum Only: String, CaseIterable, Sendable {
        case suspended
        /// Letters to their addresses don’t arrive.
        case refused

        var name: Words {
            switch self {
            case .suspended: "Suspended"
            case .refused: "Letters don’t arrive"
            }
        }

        /// What is said where there are none.
        var none: Words {
            switch self {
            case .suspended: "No account is suspended."
            case .refused: "Letters arrive at all addresses, as far as anybody knows."
            }
        }
    }

    /// What is asked for.
    struct Search: Sendable {
        /// The beginnings of names; or `@spam.example` for a mail domain.
        let words: String
        let only: Only?
        /// Whether who came last stands first.
        let isNewest: Bool
        let inviter: ID<Account>?
        /// Whether all that are shown are chosen already.
        let choosesAll: Bool
        /// Where the list by user name goes on, or that with the newest first.
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

    /// The same, with all of them chosen.
    var all: Link { search.link.with("choose", "all") }
}
