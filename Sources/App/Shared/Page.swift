import Templating

/// One page of a list that may go on: the one way in which lists are cut.
struct Page<Item: Sendable>: Sendable {
    let items: [Item]
    /// The cursor of its last item, behind which the next page begins; nil on the last page.
    private let end: String?

    /// The page that these make, cut where they are more than fit.
    ///
    /// - Parameters:
    ///   - found: Everything, or at least one more than a page where there is more.
    ///   - size: How many items a page has.
    ///   - cursor: Where the list goes on behind an item.
    init<each Key: CursorKey>(
        _ found: some Collection<Item>, of size: Int, by cursor: (Item) -> Cursor<repeat each Key>
    ) {
        items = Array(found.prefix(size))
        end = found.count > size ? items.last.map { cursor($0).text } : nil
    }

    /// The page that `find` finds, asked for one item more than fit, which tells whether there is a next page.
    ///
    /// - Parameter keys: What the list is sorted by, the id last: `Page(of: pageSize, by: \.startsAt, \.id) { … }`.
    init<each Key: CursorKey>(
        of size: Int, by keys: repeat KeyPath<Item, each Key>, find: (_ limit: Int) throws -> [Item]
    ) rethrows {
        self.init(try find(size + 1), of: size) { Cursor(repeat $0[keyPath: each keys]) }
    }

    /// A page of nothing.
    static var empty: Page { Page(items: [], end: nil) }

    private init(items: [Item], end: String?) {
        (self.items, self.end) = (items, end)
    }

    /// Whether the list ends with it.
    var isLast: Bool { end == nil }

    /// The next page of the list, for `shared/_more`; nil on the last one.
    ///
    /// - Parameters:
    ///   - list: Where the list begins.
    ///   - name: Which list of the page it is, where several go on by themselves.
    func more(at list: Link, _ name: String = "after") -> Link? { end.map { list.with(name, $0) } }

    /// The same page with other items in the places of its own.
    func changed<Other>(_ change: ([Item]) throws -> [Other]) rethrows -> Page<Other> {
        Page<Other>(items: try change(items), end: end)
    }
}
