import Forms
import Templating

/// News about something with a title, stored in a notice as a word, the title, and a row's number.
protocol TitledNews: InboxNews {
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
    /// What a notice says below its words.
    var more: Words { get }
    /// What a letter says of it, the name of its button, and the recipient of replies.
    var letter: LetterText { get }
    var button: Words { get }
    var answers: LetterText.Answers { get }

    init(_ what: What, _ about: ID<Thing>, _ title: String)
    /// Parses a notice's detail; nil if it is another kind of news.
    init?(detail: String, subject: Int64?)
}

extension TitledNews {
    init?(detail: String, subject: Int64?) {
        let parts = detail.split(separator: "\u{1F}", maxSplits: 1).map(String.init)
        guard parts.count == 2, let what = What(rawValue: parts[0]), let subject else { return nil }
        self.init(what, ID(subject), parts[1])
    }

    init?(_ notice: Notice) { self.init(detail: notice.detail, subject: notice.subject) }

    var detail: String { "\(what.rawValue)\u{1F}\(title)" }
    var more: Words { Words(verbatim: "") }
    func more(for reader: Zone) -> Words { more }

    var letter: LetterText {
        LetterText(
            subject: words, heading: words, lines: more == Words(verbatim: "") ? [] : [more],
            action: LetterText.Action(name: button, link: link), answers: answers)
    }

    var button: Words { "Have a look" }
    var answers: LetterText.Answers { .site }

    static func text(of letter: Letter, to reader: LetterReader, in tx: Transaction) throws -> LetterText? {
        Self(detail: letter.detail, subject: letter.subject)?.letter
    }
}
