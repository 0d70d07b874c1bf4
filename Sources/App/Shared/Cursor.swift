import Forms
import Templating

/// Where a list goes on: behind the item that a page ends with. It holds what the list is sorted by, the id last.
///
/// In an address the keys are joined by `_`: `after=1795284000000_12`. Where that can't be read, the list begins at its
/// beginning. A cursor gives no rights: each query asks for the rows of its reader beside it.
struct Cursor<each Key: CursorKey>: Sendable, Equatable {
    /// In a query: `let (startsAt, id) = after.keys`; of a list by one key that key alone.
    let keys: (repeat each Key)

    init(_ keys: repeat each Key) { self.keys = (repeat each keys) }

    /// Reads the cursor of an address.
    ///
    /// - Parameter list: Which list of the page it is, where several go on by themselves.
    init?(in query: FormBody, _ list: String = "after") {
        guard let text = query[list] else { return nil }
        self.init(text: text)
    }

    /// Only the first key may hold a `_` itself; first keys that are nothing are left out.
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

/// What a list can be sorted by, and how a cursor writes it down.
protocol CursorKey: Sendable {
    init(cursor text: String) throws(UnreadableCursor)
    var cursor: String { get }
}

/// A cursor that nobody wrote here.
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
    /// Where the list goes on behind a cursor; its beginning without one.
    func after<each Key: CursorKey>(_ cursor: Cursor<repeat each Key>?, _ list: String = "after") -> Link {
        with(list, cursor?.text)
    }
}
