/// One page of a list that may go on: the one way in which lists are cut.
struct Page<Item: Sendable>: Sendable {
    let items: [Item]
    /// The item after which the next page begins; nil on the last page.
    let end: Item?

    /// The page that these make, cut where they are more than fit.
    ///
    /// - Parameters:
    ///   - found: Everything, or at least one more than a page where there is more.
    ///   - size: How many items a page has.
    init(_ found: some Collection<Item>, of size: Int) {
        items = Array(found.prefix(size))
        end = found.count > size ? items.last : nil
    }

    /// The page that `find` finds, asked for one item more than fit, which tells whether there is a next page.
    init(of size: Int, _ find: (_ limit: Int) throws -> [Item]) rethrows {
        self.init(try find(size + 1), of: size)
    }

    /// A page of nothing.
    static var empty: Page { Page(items: [], end: nil) }

    private init(items: [Item], end: Item?) {
        (self.items, self.end) = (items, end)
    }

    /// The same page with other items in the places of its own.
    func changed(_ change: ([Item]) throws -> [Item]) rethrows -> Page {
        Page(items: try change(items), end: end)
    }
}
