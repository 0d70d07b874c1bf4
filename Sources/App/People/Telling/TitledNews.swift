import Forms
import Templating

/// News about something with a title, stored in a notice as a word, the title, and a row's number.
protocol TitledNews: Sendable {
    /// What happened.
    associatedtype What: RawRepresentable<String>, CaseIterable
    /// What it happened to.
    associatedtype Thing

    var what: What { get }
    var about: ID<Thing> { get }
    var title: String { get }
    /// The kind of notice.
    var kind: NoticeKind { get }
    /// The format in a notice.
    var detail: String { get }
    /// What a notice says of it, and below that.
    var words: Words { get }
    var more: Words { get }
    /// The page it leads to.
    var link: Link { get }
    /// News about the same thing with the same group is one row of the inbox.
    var group: String { get }

    init(_ what: What, _ about: ID<Thing>, _ title: String)
}

extension TitledNews {
    /// Parses a notice's detail; nil if it is another kind of news.
    init?(detail: String, subject: Int64?) {
        let parts = detail.split(separator: "\u{1F}", maxSplits: 1).map(String.init)
        guard parts.count == 2, let what = What(rawValue: parts[0]), let subject else { return nil }
        self.init(what, ID(subject), parts[1])
    }

    var detail: String { "\(what.rawValue)\u{1F}\(title)" }
    var more: Words { Words(verbatim: "") }
    var group: String { detail }
}
