import Forms
import Templating

/// A position in a list, after the last item of a page. It contains the list's sort keys, the ID last.
///
/// In an address the keys are joined by `_`: `after=1795284000000_12`. If that can't be parsed, the list starts at its
/// beginning. A cursor gives no rights: each query also checks whether the reader may see the rows.
struct Cursor<each Key: CursorKey>: Sendable, Equatable {
    /// In a query: `let (startsAt, id) = after.keys`, or the key itself if there is only one.
    let keys: (repeat each Key)

    init(_ keys: repeat each Key) { self.keys = (repeat each keys) }

    /// Parses the cursor in an address.
    ///
    /// - Parameter list: The list, if the page has several.
    init?(in query: FormBody, _ list: ListName = .main) {
        guard let text = query[list.rawValue] else { return nil }
        self.init(text: text)
    }

    /// Only the first key may contain a `_`; empty first keys are left out.
    init?(text: String) {
        var count = 0
        for _ in repeat (each Key).self { count += 1 }
        var parts = text.split(separator: "_", omittingEmptySubsequences: false).map(String.init)
        while parts.count < count { parts.insert("", at: 0) }
        let first = parts.dropLast(count - 1).joined(separator: "_")
        var rest = [first] + parts.suffix(count - 1)
        do throws(UnreadableCursor) {
            keys = (repeat try (each Key)(cursor: rest.removeFirst()))
        } catch {
            return nil
        }
    }

    var text: String {
        var parts: [String] = []
        for key in repeat each keys { parts.append(key.cursor) }
        return parts.drop(while: \.isEmpty).joined(separator: "_")
    }

    static func == (a: Self, b: Self) -> Bool { a.text == b.text }
}

/// The lists that can continue on one page: each has an item of its own in the address.
enum ListName: String, CaseIterable, Sendable {
    /// The only list of a page, or its first one.
    case main = "after"
    /// What members say of an organization, below its events; a member's own, on their page.
    case reviews
    /// Hidden events, below all others at the desk.
    case hidden
    /// Things that will be brought, beside the sign-ups.
    case promised
    /// Confirmed hours, beside the sign-ups.
    case confirmed
    /// On `/impact`: shifts whose hours aren't reported yet, shifts that are coming up, and certificates.
    case unsaid, ahead, certificates
    /// Saved ways to help, beside saved events.
    case help
}

/// A sort key of a list, and its text in a cursor.
protocol CursorKey: Sendable {
    init(cursor text: String) throws(UnreadableCursor)
    var cursor: String { get }
}

/// The text isn't a cursor of this site.
struct UnreadableCursor: Error {}

extension CursorKey where Self: LosslessStringConvertible {
    init(cursor text: String) throws(UnreadableCursor) {
        guard let key = Self(text) else { throw UnreadableCursor() }
        self = key
    }

    var cursor: String { description }
}

extension ID: CursorKey {}
extension String: CursorKey {}

extension Instant: CursorKey {
    init(cursor text: String) throws(UnreadableCursor) {
        guard text.utf8.count <= 15, let milliseconds = Int64(text), milliseconds >= 0 else { throw UnreadableCursor() }
        self.init(milliseconds: milliseconds)
    }

    var cursor: String { String(milliseconds) }
}

extension Optional: CursorKey where Wrapped: CursorKey {
    init(cursor text: String) throws(UnreadableCursor) { self = text.isEmpty ? nil : try Wrapped(cursor: text) }
    var cursor: String { self?.cursor ?? "" }
}

extension Link {
    /// Adds a cursor to the list's address; without one the list starts at its beginning.
    func after<each Key: CursorKey>(_ cursor: Cursor<repeat each Key>?, _ list: ListName = .main) -> Link {
        with(list.rawValue, cursor?.text)
    }
}
