import Forms
import Templating

/// Something that people are told. A feature says in its own room what the letters of a kind say, and what the inbox
/// says if it is `InboxNews`; `NoticeKind.told` lists them all.
protocol Told {
    /// A letter's current text; nil if there is nothing to say anymore.
    static func text(of letter: Letter, to reader: LetterReader, in tx: Transaction) throws -> LetterText?
    /// The current text of a letter to a person without an account; nil if there is nothing to say.
    ///
    /// - Parameter seal: Seals links that work without a log-in; nil for a page that others see.
    static func textForStranger(of letter: Letter, _ seal: Seal?, in tx: Transaction) throws -> LetterText?
}

extension Told {
    static func textForStranger(of letter: Letter, _ seal: Seal?, in tx: Transaction) throws -> LetterText? { nil }
}

/// News that stands in the inbox.
protocol InboxNews: Told, Sendable {
    /// Parses a notice; nil if it is another kind of news.
    init?(_ notice: Notice)

    /// What a notice says of it.
    var words: Words { get }
    /// The text below that, for a reader in a zone.
    func more(for reader: Zone) -> Words
    /// The page it leads to.
    var link: Link { get }
    var icon: Icon { get }
    /// The name of its color.
    var look: String { get }
    /// News of one kind with the same group is one row of the inbox; nil for that with the same subject and detail.
    var group: String? { get }
}

extension InboxNews {
    func more(for reader: Zone) -> Words { Words(verbatim: "") }
    var look: String { "in" }
    var group: String? { nil }
}
