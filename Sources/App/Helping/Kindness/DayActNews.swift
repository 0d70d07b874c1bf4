import Forms
import Templating

/// The kind act of the day, of which the inbox reminds.
struct DayActNews: InboxNews {
    private let act: KindAct?

    init?(_ notice: Notice) { act = KindAct.catalog.first { $0.id.rawValue == notice.subject } }

    var words: Words { act.map { "Today’s kind act: \($0.name, as: "act")" } ?? NoticeKind.dayAct.name }
    var link: Link { act?.link ?? .kindness }
    var icon: Icon { .heart }

    /// There are no such letters.
    static func text(of letter: Letter, to reader: LetterReader, in tx: Transaction) throws -> LetterText? { nil }
}
