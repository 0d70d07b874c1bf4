import Forms
import Templating

/// What a notice says, as its feature's news has it.
extension Notice {
    /// Its news; nil if it can't be read.
    var news: (any InboxNews)? {
        (kind.told(isAtEvent: event != nil) as? any InboxNews.Type).flatMap { $0.init(self) }
    }

    /// News about helping.
    var help: HelpNews? { news as? HelpNews }

    /// News about posts.
    var talk: PostNews? { kind == .talked ? PostNews(self) : nil }

    /// The page it leads to.
    var link: Link { news?.link ?? .inbox }

    /// Notices with the same group form one row in the inbox.
    var group: String { "\(kind.rawValue)-\(news?.group ?? "\(subject ?? 0)\(detail)")" }

    var changes: [Change] { kind == .changed ? event.map { Change.kept(detail, of: $0) } ?? [] : [] }
}
