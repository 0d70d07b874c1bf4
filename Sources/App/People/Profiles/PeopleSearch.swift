import Forms
import Templating

/// A search for people by the beginnings of words in their names.
struct PeopleSearch: Sendable {
    /// The typed text.
    let typed: String
    /// The reader; without an account only public pages are found.
    let reader: ID<Account>?
    /// The position in the list.
    let after: Cursor<String, ID<Account>>?

    static let pageSize = 20

    /// A person's position in the order: the search key.
    struct Place: Sendable, Comparable {
        let key: String
        let account: ID<Account>

        static func < (a: Place, b: Place) -> Bool {
            a.key == b.key ? a.account < b.account : a.key.utf8.lexicographicallyPrecedes(b.key.utf8)
        }
    }

    init(_ query: FormBody, for reader: Visitor?) {
        typed = String((query["q"] ?? "").prefix(60))
        self.reader = reader?.account
        after = Cursor(in: query)
    }

    /// The words to look for in display names and user names.
    var words: [String] { SearchWords.ofName(typed) }
    var username: String {
        let name = typed.lowercased().filter { !$0.isWhitespace }
        return name.hasPrefix("@") ? String(name.dropFirst()) : name
    }

    var isEmpty: Bool { words.isEmpty }

    /// The first key that doesn't begin with `key`.
    static func end(of key: String) -> String { key + "\u{10FFFF}" }
}

/// A page of the people found.
struct PeoplePage: Sendable {
    let typed: String
    let isEmpty: Bool
    let people: [Person]
    let more: Link?

    init(_ search: PeopleSearch, _ page: Page<Person>) {
        typed = search.typed
        isEmpty = search.isEmpty
        people = page.items
        more = page.more(at: Link.people.with("q", search.typed))
    }
}
