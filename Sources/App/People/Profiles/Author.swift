import Forms
import Templating

/// The author of content.
struct Author: Sendable, Equatable {
    /// Members per page in the list of likes.
    static let pageSize = 100

    let account: ID<Account>
    let username: String
    /// Their display name; nil if they left.
    let chosenName: String?
    /// Whether people without an account may read their page.
    let hasOpenPage: Bool
    /// Their picture for others.
    var portrait: Portrait?

    /// Links for mentioned people, by user name.
    typealias Mentioned = [String: Link]

    var name: Words { chosenName.map { Words(verbatim: $0) } ?? "A former member" }

    /// The link to their page, if the reader may read it; nil if they left.
    func link(for reader: Visitor?) -> Link? { link(forMembers: reader != nil) }

    /// Their picture, if the reader may read their page.
    func face(for reader: Visitor?) -> Portrait? { link(for: reader) == nil ? nil : portrait }

    func link(forMembers isForMembers: Bool) -> Link? {
        chosenName != nil && (hasOpenPage || isForMembers) ? Link.person(username) : nil
    }

    var initials: String { chosenName?.initials(atSpaces: true) ?? "–" }
}
