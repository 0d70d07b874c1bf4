import Forms
import Templating

/// What a notice says, as its feature's news has it.
extension Notice {
    /// Its news; nil if it can't be read.
    private var news: (any InboxNews)? {
        (kind.told(isAtEvent: event != nil) as? any InboxNews.Type).flatMap { $0.init(self) }
    }

    /// News about helping.
    var help: HelpNews? { news as? HelpNews }

    /// News about posts.
    var talk: PostNews? { news as? PostNews }

    var words: Words { news?.words ?? kind.name }
    /// The text below it, for a reader in a zone.
    func more(for reader: Zone) -> Words { news?.more(for: reader) ?? Words(verbatim: "") }
    /// The page it leads to.
    var link: Link { news?.link ?? .inbox }
    var icon: Icon { news?.icon ?? .mail }
    /// The name of its color.
    var look: String { news?.look ?? "in" }

    /// Notices with the same group form one row in the inbox.
    var group: String { "\(kind.rawValue)-\(news?.group ?? "\(subject ?? 0)\(detail)")" }

    var changes: [Change] { kind == .changed ? event.map { Change.kept(detail, of: $0) } ?? [] : [] }
}
