import Templating

/// One page of a list that may continue: all lists are paged this way.
struct Page<Item: Sendable>: Sendable {
    let items: [Item]
    /// The cursor of its last item, after which the next page begins; nil on the last page.
    private let end: String?

    /// Makes a page, cut off if there are more items than fit.
    ///
    /// - Parameters:
    ///   - found: All items, or at least one more than fits if there are more.
    ///   - size: The number of items on a page.
    ///   - cursor: The cursor of an item.
    init<each Key: CursorKey>(
        _ found: some Collection<Item>, of size: Int, by cursor: (Item) -> Cursor<repeat each Key>
    ) {
        items = Array(found.prefix(size))
        end = found.count > size ? items.last.map { cursor($0).text } : nil
    }

    /// Makes a page of the items that `find` returns. It is asked for one more than fits, which shows whether there is
    /// a next page.
    ///
    /// - Parameter keys: The list's sort keys, the ID last: `Page(of: pageSize, by: \.startsAt, \.id) { … }`.
    init<each Key: CursorKey>(
        of size: Int, by keys: repeat KeyPath<Item, each Key>, find: (_ limit: Int) throws -> [Item]
    ) rethrows {
        self.init(try find(size + 1), of: size) { Cursor(repeat $0[keyPath: each keys]) }
    }

    /// An empty page.
    static var empty: Page { Page(items: [], end: nil) }

    private init(items: [Item], end: String?) {
        (self.items, self.end) = (items, end)
    }

    /// Whether it is the last page.
    var isLast: Bool { end == nil }

    /// The link to the next page, for `shared/_more`; nil on the last page.
    ///
    /// - Parameters:
    ///   - list: The address of the list.
    ///   - name: The list, if the page has several.
    func more(at list: Link, _ name: ListName = .main) -> Link? { end.map { list.with(name.rawValue, $0) } }

    /// The same page with its items replaced.
    func changed<Other>(_ change: ([Item]) throws -> [Other]) rethrows -> Page<Other> {
        Page<Other>(items: try change(items), end: end)
    }
}
